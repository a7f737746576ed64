import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { buildProgram } from "../../support/batch/program.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const ROOT = join(import.meta.dirname, "../../..");
const WARM = join(ROOT, "test/fixtures/warm-agent-tty.mjs");

/** The build takes seconds. The first test that needs it runs it, on a machine that is busy with other tests. */
export const BUILD_PATIENCE_MS = 120_000;

export interface Ended {
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
}

/** The whole environment: nothing else is inherited. */
interface Surroundings {
  cwd: string;
  env: Record<string, string>;
}

export interface Binary extends AsyncDisposable {
  path: string;
  /** Where commands and hosts store and find compiled code, for an environment whose HOME is empty. */
  codeCache: { readonly XDG_CACHE_HOME: string };
  /** Runs a command in a new process. */
  start(args: readonly string[], surroundings: Surroundings): Promise<Ended>;
  /**
   * Returns the same exit code and output, but runs the command in a process that has already loaded the program: a start takes
   * ten times the CPU time. Use it for tests of what a command does, and `start` for tests of its process.
   */
  command(args: readonly string[], surroundings: Surroundings): Promise<Ended>;
}

/** Returns the bundled binary as it is published: the build of this test run, next to the files of its package. */
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

/** A process that runs commands. All commands that it runs at the same time have the same environment and directory. */
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
