import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { type Clock, messageOf } from "agent-tty/kit";
import type { ExecOptions, ExecResult } from "../port.ts";

export interface ConfinedCommand {
  command: readonly [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
}

const DEFAULT_MAX_OUTPUT_BYTES = 10 * 1024 ** 2;
const TERMINATION_GRACE_MS = 500;
/** A process that left the group may hold the pipes open for ever. */
const PIPE_GRACE_MS = 500;

type Ending = { type: "exited" } | { type: "timed-out" } | { type: "too-large" } | { type: "aborted" };

/**
 * Runs in a process group of its own, which is dead when this settles: what the command left in the background ends with it.
 * Rejects only with the signal's reason.
 */
export async function confinedExec(
  { command: [program, ...argv], cwd, env }: ConfinedCommand,
  options: ExecOptions,
  clock: Clock,
): Promise<ExecResult> {
  options.signal?.throwIfAborted();
  const limitBytes = options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  const child = spawn(program, argv, {
    cwd,
    env,
    detached: true,
    stdio: [options.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  // A command that does not read all of its input is no failure.
  child.stdin?.on("error", () => {}).end(options.stdin);

  const failed = new Promise<string>((resolve) => child.once("error", (error) => resolve(messageOf(error))));
  const exited = new Promise<Ending>((resolve) => child.once("exit", () => resolve({ type: "exited" })));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const output = collect(child, limitBytes);
  if (child.pid === undefined) return { type: "transport-lost", message: await failed };

  const ending = await firstEnding([exited, output.overflow], options, clock);
  await endGroup(child.pid, ending, exited, clock);
  await settledWithin(closed, PIPE_GRACE_MS, clock);
  child.stdout?.destroy();
  child.stderr?.destroy();

  const stderr = Buffer.concat(output.stderr).toString("utf8");
  if (output.isTooLarge()) return { type: "output-too-large", limitBytes };
  switch (ending.type) {
    case "aborted":
      throw options.signal?.reason;
    case "timed-out":
      return { type: "timed-out", stderr };
    case "too-large":
    case "exited":
      return { type: "exited", exitCode: exitCodeOf(child), stdout: Buffer.concat(output.stdout), stderr };
  }
}

async function firstEnding(
  endings: Promise<Ending>[],
  { timeoutMs, signal }: ExecOptions,
  clock: Clock,
): Promise<Ending> {
  let onAbort = (): void => {};
  const aborted = new Promise<Ending>((resolve) => {
    onAbort = () => resolve({ type: "aborted" });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  const timers: Disposable[] = [];
  const timedOut = new Promise<Ending>((resolve) => {
    timers.push(clock.schedule(timeoutMs, () => resolve({ type: "timed-out" })));
  });
  try {
    return await Promise.race([...endings, aborted, timedOut]);
  } finally {
    for (const timer of timers) timer[Symbol.dispose]();
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Asks first only where the command may still have something to put away. */
async function endGroup(pid: number, ending: Ending, exited: Promise<Ending>, clock: Clock): Promise<void> {
  if (ending.type === "timed-out" || ending.type === "aborted") {
    signalGroup(pid, "SIGTERM");
    await settledWithin(exited, TERMINATION_GRACE_MS, clock);
  }
  signalGroup(pid, "SIGKILL");
  await exited;
}

/** Waits for `work`, at most so long. */
async function settledWithin(work: Promise<unknown>, durationMs: number, clock: Clock): Promise<void> {
  const pause = new AbortController();
  await Promise.race([work, clock.sleep(durationMs, pause.signal).catch(() => {})]);
  pause.abort();
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function collect(child: ChildProcess, limitBytes: number) {
  const chunks: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  let isTooLarge = false;
  const overflow = new Promise<Ending>((resolve) => {
    for (const name of ["stdout", "stderr"] as const) {
      let sizeBytes = 0;
      child[name]?.on("data", (chunk: Buffer) => {
        sizeBytes += chunk.byteLength;
        if (sizeBytes <= limitBytes) chunks[name].push(chunk);
        else {
          isTooLarge = true;
          resolve({ type: "too-large" });
        }
      });
    }
  });
  return { ...chunks, overflow, isTooLarge: () => isTooLarge };
}

function exitCodeOf({ exitCode, signalCode }: ChildProcess): number {
  if (exitCode !== null) return exitCode;
  return 128 + (signalCode === null ? 0 : constants.signals[signalCode]);
}
