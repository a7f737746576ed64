import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import { createSession, type Home, openHome, type Session, shellIntegrationScript } from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";

export const ROOT = join(import.meta.dirname, "../..");
export const PATIENT = { callerTimeoutMs: 600_000 };
/** The file that npm starts. */
const AGENT_TTY = join(ROOT, "dist/bin/agent-tty.cjs");
const NONCE = "0123456789abcdef";
const run = promisify(execFile);

export interface Bench extends AsyncDisposable {
  home: Home;
  directory: string;
  env: Record<string, string>;
  bash(): Promise<Session>;
}

/** Opens a new home in a directory that is removed at the end. */
export async function openBench(): Promise<Bench> {
  const directory = await mkdtemp(join(tmpdir(), "agent-tty-bench-"));
  const home = await openHome({
    directory: join(directory, "home"),
    clock: systemClock,
    ids: systemIds(systemClock),
  });
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory };
  const rc = join(directory, "shell.bashrc");
  await writeFile(rc, shellIntegrationScript(NONCE));
  return {
    home,
    directory,
    env,
    bash: async () => {
      const session = await createSession(home, {
        command: ["bash", "--noediting", "--rcfile", rc, "-i"],
        cwd: directory,
        env,
        cols: 80,
        rows: 24,
        shellIntegration: { nonce: NONCE },
      });
      await session.run("true", PATIENT);
      return session;
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Returns the median of `times` runs, after one warm-up run. */
export async function samples(times: number, work: () => Promise<unknown>): Promise<number[]> {
  await work();
  const taken: number[] = [];
  for (let index = 0; index < times; index += 1) taken.push(await timed(work));
  return taken.toSorted((left, right) => left - right);
}

function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((left, right) => left - right),
    0.5,
  );
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs the built command line as a user does. Resolves with the result in its envelope. */
export async function agentTty(home: Home, [command = "", ...args]: readonly string[]): Promise<unknown> {
  const common = ["--home", home.directory, "--json"];
  const { stdout } = await run(process.execPath, [AGENT_TTY, command, ...common, ...args], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return (JSON.parse(stdout) as { result: unknown }).result;
}

/** Returns the medians of both, measured in turn, so that other load on the machine affects both. */
export async function inTurn(
  times: number,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<[number, number]> {
  const taken: [number[], number[]] = [[], []];
  await first();
  await second();
  for (let index = 0; index < times; index += 1) {
    taken[0].push(await timed(first));
    taken[1].push(await timed(second));
  }
  return [median(taken[0]), median(taken[1])];
}

/** Returns the processor time so far of all threads of a process, as the kernel counts it. */
export async function cpuMsOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const texts = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8"));
  const nanoseconds = (await Promise.all(texts)).map((text) => Number.parseInt(text, 10));
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000_000;
}

/** Returns the address that a program prints when it has started. Rejects if the program ends without one. */
export async function firstOutput(output: AsyncIterable<Uint8Array | string>): Promise<string> {
  for await (const chunk of output) return String(chunk).trim();
  throw new Error("the program ended before it printed its address");
}

/** Starts Node with an empty program: the lower bound of any start. */
export function bareNode(): Promise<unknown> {
  return run(process.execPath, ["-e", "0"]);
}

/** Runs a measurement in a separate process, so that measurements do not share memory or compiled code. */
export async function inChild<T>(script: string, args: readonly string[]): Promise<T> {
  const { stdout } = await run(
    process.execPath,
    ["--import", "tsx", join(import.meta.dirname, script), ...args],
    { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as T;
}
