import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa, type ResultPromise } from "execa";

const ROOT = join(import.meta.dirname, "../../..");

/** The bundled program, as it is published. Inside the repository, because the natives stay packages. */
export interface BuiltProgram extends AsyncDisposable {
  readonly directory: string;
  start(args: readonly string[], options: StartOptions): RunningProgram;
}

export interface StartOptions {
  cwd: string;
  /** All of it: nothing is inherited. */
  env: Record<string, string>;
  /** Default one minute. */
  limitMs?: number;
}

/** A program that hangs must fail its test, not stall the run. */
const LIMIT_MS = 60_000;

export type RunningProgram = ResultPromise<{ extendEnv: false; reject: false; stdin: "ignore" }>;

export async function buildProgram(): Promise<BuiltProgram> {
  await mkdir(join(ROOT, "build"), { recursive: true });
  const directory = await mkdtemp(join(ROOT, "build", "test-program-"));
  await execa("tsx", [join(ROOT, "scripts/build.ts"), directory], { preferLocal: true, localDir: ROOT });
  return {
    directory,
    start: (args, { cwd, env, limitMs = LIMIT_MS }) => {
      const options = { extendEnv: false, reject: false, stdin: "ignore" } as const;
      const argv = [join(directory, "afk-triage.js"), ...args];
      return execa(process.execPath, argv, { ...options, cwd, env, timeout: limitMs }) as RunningProgram;
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
