import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { buildProgram } from "../../support/batch/program.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const ROOT = join(import.meta.dirname, "../../..");
const WARM = join(ROOT, "test/fixtures/warm-agent-tty.mjs");

/** The build of the test run is work of seconds; the first test that needs it makes it, on a machine that is busy with the others. */
export const BUILD_PATIENCE_MS = 120_000;

export interface Ended {
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
}

/** The environment is empty. */
interface Surroundings {
  cwd: string;
  env: Record<string, string>;
}

export interface Binary extends AsyncDisposable {
  path: string;
  /** Where commands and hosts keep and find compiled code, for an environment whose HOME is empty. */
  codeCache: { readonly XDG_CACHE_HOME: string };
  /** A process of its own. */
  start(args: readonly string[], surroundings: Surroundings): Promise<Ended>;
  /**
   * The same command line, its exit code and all that it says, in a process that has loaded it already: a start takes ten
   * times the processor time. For what a command does; what becomes of its process is told by `start`.
   */
  command(args: readonly string[], surroundings: Surroundings): Promise<Ended>;
}

/** The bundled binary, as it is published: the build of this test run, beside the files of its package. */
export async function bundledBinary(): Promise<Binary> {
  const root = await temporaryDirectory();
  await using program = await buildProgram();
  await cp(program.directory, join(root.path, "dist"), { recursive: true, preserveTimestamps: true });
  for (const name of ["node_modules", "skills"]) await symlink(join(ROOT, name), join(root.path, name));
  await writeFile(join(root.path, "package.json"), '{"type":"module","version":"0.0.0-test"}');
  const path = join(root.path, "dist/agent-tty.js");
  const warm: WarmBinary[] = [];
  return {
    path,
    codeCache: program.codeCache,
    start: async (args, surroundings) => {
      const options = { ...surroundings, reject: false, extendEnv: false } as const;
      const { exitCode, stdout, stderr } = await execa(process.execPath, [path, ...args], options);
      return { exitCode, stdout, stderr };
    },
    command: (args, surroundings) => {
      const key = JSON.stringify(surroundings);
      const free = warm.find((one) => one.isFreeFor(key)) ?? new WarmBinary(join(root.path, "dist"));
      if (!warm.includes(free)) warm.push(free);
      return free.run(args, surroundings, key);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(warm.map((one) => one[Symbol.asyncDispose]()));
      await root[Symbol.asyncDispose]();
    },
  };
}

/** Environment and directory are those of all that it runs at a time. */
class WarmBinary implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #waiting = new Map<number, { resolve: (ended: Ended) => void; reject: (error: Error) => void }>();
  #surroundings = "";
  #count = 0;

  constructor(directory: string) {
    this.#process = fork(WARM, [directory], {
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#process.on("message", ({ id, ...ended }: Ended & { id: number }) => {
      this.#waiting.get(id)?.resolve(ended);
      this.#waiting.delete(id);
    });
    this.#ended = once(this.#process, "exit").then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the warm agent-tty has ended"));
    });
  }

  isFreeFor(surroundings: string): boolean {
    return this.#waiting.size === 0 || this.#surroundings === surroundings;
  }

  run(args: readonly string[], surroundings: Surroundings, key: string): Promise<Ended> {
    this.#surroundings = key;
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.send({ id, args, ...surroundings });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.connected) this.#process.disconnect();
    await this.#ended;
  }
}
