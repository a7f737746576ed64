import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "agent-tty/kit";

export interface ProcessRequest {
  program: string;
  argv: readonly string[];
  cwd: string;
  /** The child's whole environment. */
  env: Record<string, string>;
  stdin?: Uint8Array;
  timeoutMs: number;
  /** Per stream. */
  maxOutputBytes: number;
  signal?: AbortSignal;
}

export type ProcessEnd =
  /** `exitCode` is null when a signal ended it. */
  | { type: "exited"; exitCode: number | null; stdout: Buffer; stderr: string }
  | { type: "timed-out"; stderr: string }
  | { type: "output-too-large" }
  | { type: "not-started"; code: string; message: string };

/** Between SIGTERM and SIGKILL. */
const TERMINATION_GRACE_MS = 5000;
const PIPE_GRACE_MS = 1000;

/**
 * Runs a program in a process group of its own, which gets SIGTERM and later SIGKILL at the time limit, on too much output
 * and on abort. Rejects only with the signal's reason, and only once the program is gone.
 */
export async function runProcess(request: ProcessRequest, clock: Clock): Promise<ProcessEnd> {
  request.signal?.throwIfAborted();
  const child = spawn(request.program, request.argv, {
    cwd: request.cwd,
    env: request.env,
    detached: true,
    stdio: [request.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => child.once("error", resolve));
  const { pid } = child;
  if (pid === undefined) {
    const { code = "UNKNOWN", message } = await failed;
    return { type: "not-started", code, message };
  }
  const output = collect(child, request.maxOutputBytes);
  // EPIPE: a program that does not read all of its input is no failure.
  child.stdin?.on("error", () => {}).end(request.stdin);

  const end = await firstEnd([closed.then(() => "closed"), output.overflow], request, clock);
  if (end !== "closed") await endGroup(child, pid, closed, clock);
  const stderr = Buffer.concat(output.stderr).toString("utf8");
  switch (end) {
    case "aborted":
      throw request.signal?.reason;
    case "timed-out":
      return { type: "timed-out", stderr };
    case "overflow":
      return { type: "output-too-large" };
    case "closed":
      return { type: "exited", exitCode: child.exitCode, stdout: Buffer.concat(output.stdout), stderr };
  }
}

type End = "closed" | "overflow" | "timed-out" | "aborted";

async function firstEnd(
  ends: Promise<End>[],
  { timeoutMs, signal }: ProcessRequest,
  clock: Clock,
): Promise<End> {
  let onAbort = (): void => {};
  const aborted = new Promise<End>((resolve) => {
    onAbort = () => resolve("aborted");
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  let timer: Disposable | undefined;
  const timedOut = new Promise<End>((resolve) => {
    timer = clock.schedule(timeoutMs, () => resolve("timed-out"));
  });
  try {
    return await Promise.race([...ends, aborted, timedOut]);
  } finally {
    timer?.[Symbol.dispose]();
    signal?.removeEventListener("abort", onAbort);
  }
}

async function endGroup(
  child: ChildProcess,
  pid: number,
  closed: Promise<void>,
  clock: Clock,
): Promise<void> {
  signalGroup(pid, "SIGTERM");
  using _kill = clock.schedule(TERMINATION_GRACE_MS, () => signalGroup(pid, "SIGKILL"));
  // A process that left the group may hold the pipes open for ever.
  using _letGo = clock.schedule(TERMINATION_GRACE_MS + PIPE_GRACE_MS, () => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  });
  await closed;
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
  const overflow = new Promise<End>((resolve) => {
    for (const name of ["stdout", "stderr"] as const) {
      let sizeBytes = 0;
      child[name]?.on("data", (chunk: Buffer) => {
        sizeBytes += chunk.byteLength;
        if (sizeBytes <= limitBytes) chunks[name].push(chunk);
        else resolve("overflow");
      });
    }
  });
  return { ...chunks, overflow };
}
