import type { Readable } from "node:stream";
import type { Clock } from "agent-tty/kit";
import { startProgram, type StartedProgram } from "./starting/index.ts";

export interface ProcessRequest {
  command: readonly [string, ...string[]];
  cwd: string;
  /** The complete environment of the child. */
  env: Record<string, string>;
  stdin?: Uint8Array;
  timeoutMs: number;
  /** The time within which the first byte must arrive on stdout; default: only `timeoutMs` applies. */
  firstByteTimeoutMs?: number;
  /** The limit of each stream, stdout and stderr. */
  maxOutputBytes: number;
  /** The time between SIGTERM and SIGKILL. */
  terminationGraceMs: number;
  signal?: AbortSignal;
}

export type ProcessEnd =
  /** `exitCode` is null if a signal ended the program. */
  | {
      type: "exited";
      exitCode: number | null;
      signalName: NodeJS.Signals | null;
      stdout: Buffer;
      stderr: string;
    }
  | { type: "timed-out"; stderr: string }
  /** No byte arrived on stdout within `firstByteTimeoutMs`. */
  | { type: "silent"; stderr: string }
  | { type: "output-too-large" }
  | { type: "not-started"; code: string; message: string };

type Ending = "exited" | "timed-out" | "silent" | "too-large" | "aborted";

/** The time to wait for the pipes to close: a process that left the group may hold them open forever. */
const PIPE_GRACE_MS = 500;
/** The number of turns of the event loop (microseconds each) without output after which no more output is expected. */
const SILENT_TURNS = 20;

/**
 * Runs a program in its own process group and resolves with how it ended. When the call settles, the whole group is dead,
 * including anything that the program left in the background. The time limit, the output cap and an abort end the program early.
 * Rejects only with the signal's reason, once the program is gone.
 */
export async function runBounded(request: ProcessRequest, clock: Clock): Promise<ProcessEnd> {
  request.signal?.throwIfAborted();
  const { command, cwd, env, stdin } = request;
  const start = await startProgram({ command, cwd, env, hasInput: stdin !== undefined }, clock);
  if (start.type === "not-started") return start;
  const { program } = start;
  const exited = program.exited.then((): Ending => "exited");
  const closed = Promise.all([closeOf(program.stdout), closeOf(program.stderr)]);
  const output = collect(program, request.maxOutputBytes);
  // Ignores EPIPE: it is not a failure if a program does not read all of its input.
  program.stdin?.on("error", () => {}).end(stdin);

  using silence = silenceOf(program, request.firstByteTimeoutMs, clock);
  const ending = await firstEnding([exited, output.overflow, silence.passed], request, clock);
  await endGroup(program.pid, ending, exited, request.terminationGraceMs, clock);
  program.stdin?.destroy();
  await settledWithin(closed, PIPE_GRACE_MS, clock);
  await unreadOf(output);
  program.stdout.destroy();
  program.stderr.destroy();

  const stderr = Buffer.concat(output.stderr).toString("utf8");
  // The last chunks may arrive after the exit, so the cap is checked again.
  if (output.isTooLarge()) return { type: "output-too-large" };
  switch (ending) {
    case "aborted":
      throw request.signal?.reason;
    case "timed-out":
    case "silent":
      return { type: ending, stderr };
    case "too-large":
    case "exited": {
      const { exitCode, signalName } = await program.exited;
      return { type: "exited", exitCode, signalName, stdout: Buffer.concat(output.stdout), stderr };
    }
  }
}

function closeOf(stream: Readable): Promise<void> {
  return new Promise((resolve) => stream.once("close", () => resolve()));
}

async function firstEnding(
  endings: Promise<Ending>[],
  { timeoutMs, signal }: ProcessRequest,
  clock: Clock,
): Promise<Ending> {
  let onAbort = (): void => {};
  const aborted = new Promise<Ending>((resolve) => {
    onAbort = () => resolve("aborted");
    signal?.addEventListener("abort", onAbort, { once: true });
    // The signal may have been aborted while the program was being started.
    if (signal?.aborted === true) onAbort();
  });
  let timer: Disposable | undefined;
  const timedOut = new Promise<Ending>((resolve) => {
    timer = clock.schedule(timeoutMs, () => resolve("timed-out"));
  });
  try {
    return await Promise.race([...endings, aborted, timedOut]);
  } finally {
    timer?.[Symbol.dispose]();
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Ends the process group. SIGTERM is sent first only if the program may still have to clean up. */
async function endGroup(
  pid: number,
  ending: Ending,
  exited: Promise<Ending>,
  graceMs: number,
  clock: Clock,
): Promise<void> {
  if (ending === "timed-out" || ending === "silent" || ending === "aborted") {
    signalGroup(pid, "SIGTERM");
    await settledWithin(exited, graceMs, clock);
  }
  signalGroup(pid, "SIGKILL");
  await exited;
}

/**
 * Returns a promise that settles when nothing has arrived on stdout for `limitMs` milliseconds. Once something has arrived, it
 * never settles.
 */
function silenceOf(
  program: StartedProgram,
  limitMs: number | undefined,
  clock: Clock,
): Disposable & { passed: Promise<Ending> } {
  if (limitMs === undefined)
    return { passed: new Promise(() => undefined), [Symbol.dispose]: () => undefined };
  let timer: Disposable | undefined;
  const passed = new Promise<Ending>((resolve) => {
    timer = clock.schedule(limitMs, () => resolve("silent"));
  });
  program.stdout.once("data", () => timer?.[Symbol.dispose]());
  return { passed, [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
}

/** Waits for `work`, at most `durationMs` milliseconds. */
async function settledWithin(work: Promise<unknown>, durationMs: number, clock: Clock): Promise<void> {
  let timer: Disposable | undefined;
  const late = new Promise<void>((resolve) => {
    timer = clock.schedule(durationMs, resolve);
  });
  await Promise.race([work, late]);
  timer?.[Symbol.dispose]();
}

/**
 * Waits until the output that the program wrote before its end has been read. If this process was itself suspended for longer
 * than the grace, its timer fires before its pipes are read; the output is then still read.
 */
async function unreadOf(output: { arrived: () => number }): Promise<void> {
  let seen = output.arrived();
  for (let silentTurns = 0; silentTurns < SILENT_TURNS; silentTurns += 1) {
    // One turn of the event loop: from timers through input and output.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (output.arrived() !== seen) silentTurns = 0;
    seen = output.arrived();
  }
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function collect(program: StartedProgram, limitBytes: number) {
  const chunks: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  let isTooLarge = false;
  let arrivals = 0;
  const overflow = new Promise<Ending>((resolve) => {
    for (const name of ["stdout", "stderr"] as const) {
      let sizeBytes = 0;
      program[name].on("data", (chunk: Buffer) => {
        sizeBytes += chunk.byteLength;
        if (!isTooLarge) arrivals += 1;
        if (sizeBytes <= limitBytes) chunks[name].push(chunk);
        else {
          isTooLarge = true;
          resolve("too-large");
        }
      });
    }
  });
  return { ...chunks, overflow, isTooLarge: () => isTooLarge, arrived: () => arrivals };
}
