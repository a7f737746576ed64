import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { systemClock } from "agent-tty/kit";
import { execa, type ResultPromise } from "execa";

const ROOT = join(import.meta.dirname, "../../..");
const BUILDS = join(ROOT, "build");

/** The bundled program, as it is published. It is built inside the repository, because native modules stay packages. */
export interface BuiltProgram extends AsyncDisposable {
  readonly directory: string;
  /** The directory in which its starts cache compiled code, shared with other tests, whose homes are empty. */
  readonly codeCache: { readonly XDG_CACHE_HOME: string };
  start(args: readonly string[], options: StartOptions): RunningProgram;
  startOnTerminal(args: readonly string[], options: Pick<StartOptions, "cwd" | "env">): ProgramOnTerminal;
}

export interface StartOptions {
  cwd: string;
  /** The whole environment apart from `codeCache`; nothing is inherited. */
  env: Record<string, string>;
  /** The time limit; the default is 400 s. */
  limitMs?: number;
  descriptors?: Descriptors;
}

/** Open files instead of the pipes that the test reads. */
export interface Descriptors {
  stdout?: number;
  stderr?: number;
}

export interface ProgramOnTerminal {
  ended: Promise<{ exitCode: number; signal?: number | undefined }>;
  /** Closes the terminal, as when a person closes its window. */
  hangUp(): void;
}

/** Ends a program whose test has failed without ending it. No shorter than the limits of the tests, which fail if a program hangs. */
const LIMIT_MS = 400_000;

/**
 * By default execa sends SIGKILL five seconds after a SIGTERM. A parent that deletes Coder workspaces may take longer, and a test
 * must observe only the effect of its own signals.
 */
const ONLY_OUR_SIGNALS = { forceKillAfterDelay: false, killSignal: "SIGKILL" } as const;

export type RunningProgram = ResultPromise<{ extendEnv: false; reject: false; stdin: "ignore" }>;

/** Builds the program once for all tests of a run, which must not change it (test/support/one-build.ts). */
export async function buildProgram(): Promise<BuiltProgram> {
  const shared = process.env["AFK_TEST_PROGRAM"];
  if (shared === undefined) {
    const directory = await ownDirectory();
    await build(directory);
    return programIn(directory, `${directory}/cache`, () => removed(directory));
  }
  await buildOnce(shared);
  return programIn(shared, `${shared}.cache`, () => Promise.resolve());
}

/** Builds a program for one test, which may change it. */
export async function buildOwnProgram(): Promise<BuiltProgram> {
  await using program = await buildProgram();
  const directory = await ownDirectory();
  await cp(program.directory, directory, { recursive: true });
  return programIn(directory, `${directory}/cache`, () => removed(directory));
}

function programIn(directory: string, cache: string, dispose: () => Promise<void>): BuiltProgram {
  const codeCache = { XDG_CACHE_HOME: cache };
  return {
    directory,
    codeCache,
    start: (args, { cwd, env, limitMs = LIMIT_MS, descriptors = {} }) => {
      const options = { extendEnv: false, reject: false, stdin: "ignore", ...ONLY_OUR_SIGNALS } as const;
      const argv = [join(directory, "afk-triage.js"), ...args];
      return execa(process.execPath, argv, {
        ...options,
        ...(descriptors as object),
        cwd,
        env: { ...codeCache, ...env },
        timeout: limitMs,
      }) as RunningProgram;
    },
    startOnTerminal: (args, { cwd, env }) => {
      const argv = [join(directory, "afk-triage.js"), ...args];
      const terminal = spawn(process.execPath, argv, { cwd, env: { ...codeCache, ...env } });
      return {
        ended: new Promise((resolve) => terminal.onExit(resolve)),
        hangUp: () => (terminal as unknown as { destroy(): void }).destroy(),
      };
    },
    [Symbol.asyncDispose]: dispose,
  };
}

/** The first caller builds; the directory exists once it is complete. The next caller retries a failed build. */
async function buildOnce(directory: string): Promise<void> {
  await mkdir(BUILDS, { recursive: true });
  const lock = `${directory}.lock`;
  while (!existsSync(directory)) {
    const isOurs = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (!isOurs) {
      await systemClock.sleep(50);
      continue;
    }
    try {
      if (!existsSync(directory)) await build(directory);
    } finally {
      await removed(lock);
    }
  }
}

async function build(directory: string): Promise<void> {
  await execa("tsx", [join(ROOT, "scripts/build.ts"), directory], { preferLocal: true, localDir: ROOT });
}

async function ownDirectory(): Promise<string> {
  await mkdir(BUILDS, { recursive: true });
  return mkdtemp(join(BUILDS, "test-program-"));
}

function removed(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true });
}
