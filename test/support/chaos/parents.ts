import { createInterface } from "node:readline";
import { systemClock } from "agent-tty/kit";
import type { RunningProgram } from "../batch/program.ts";
import type { ChaosStage } from "./chaos-stage.ts";
import type { ParentSignal } from "./schedule.ts";
import type { Timeline } from "./timeline.ts";

/**
 * A running parent. The object must not be a promise, as a running program is, so that it can be returned from async functions.
 */
export interface Parent {
  readonly label: string;
  readonly pid: number;
  /** The signals that it was sent, oldest first. */
  readonly signals: ParentSignal[];
  isRunning(): boolean;
  /** Sends a signal; returns false if the parent had already ended. */
  signal(signal: ParentSignal): boolean;
  readonly ended: Promise<ParentEnd>;
}

export interface ParentEnd {
  label: string;
  exitCode: number | null;
  /** The signal that ended it without a handler. */
  signal: string | null;
  signals: readonly ParentSignal[];
  stdout: string;
  stderr: string;
  /** Whether it exceeded every limit and was killed. */
  isHung: boolean;
}

export interface ParentOptions {
  label: string;
  home: number;
  parallelism: number;
  timeline: Timeline;
  onEvent: (event: string) => void;
  /** After this silence, counted once it has selected its issues, it is stopped with SIGINT, as an impatient person would do. */
  patienceMs: number;
  onPatienceEnd: () => void;
}

/** A parent that was told to stop must print something within this time, or end. */
const STOP_PATIENCE_MS = 120_000;

export function startParent(stage: ChaosStage, options: ParentOptions): Parent {
  const { label, timeline } = options;
  const running = stage.start(options.home, ["run", "--json", "--parallelism", String(options.parallelism)]);
  timeline.note(
    label,
    `starts (pid ${running.pid}, home ${options.home}, parallelism ${options.parallelism})`,
  );
  const signals: ParentSignal[] = [];
  let isRunning = true;
  let isHung = false;
  const signal = (which: ParentSignal): boolean => {
    if (!isRunning || !running.kill(which)) return false;
    signals.push(which);
    timeline.note(label, `gets ${which}`);
    return true;
  };
  const giveUp = (): void => {
    if (signals.length === 0 && signal("SIGINT")) options.onPatienceEnd();
  };
  const hung = (): void => {
    isHung = isRunning;
    running.kill("SIGKILL");
  };
  let hasSelected = false;
  let limits: Disposable[] = [];
  const limit = (): void => {
    for (const each of limits) each[Symbol.dispose]();
    limits = [systemClock.schedule(options.patienceMs + STOP_PATIENCE_MS, hung)];
    if (hasSelected) limits.push(systemClock.schedule(options.patienceMs, giveUp));
  };
  limit();
  createInterface({ input: running.stderr }).on("line", (line) => {
    timeline.note(label, line.slice(0, 700));
    const event = parseEvent(line);
    if (event !== null) options.onEvent(event);
    hasSelected ||= event === "selected";
    if (isRunning) limit();
  });
  const ended = endOf(running).then((end): ParentEnd => {
    isRunning = false;
    for (const each of limits) each[Symbol.dispose]();
    timeline.note(label, `ends: ${end.signal ?? `exit code ${end.exitCode}`}`);
    return { label, signals, isHung, ...end };
  });
  return { label, pid: running.pid ?? 0, signals, isRunning: () => isRunning, signal, ended };
}

async function endOf(
  running: RunningProgram,
): Promise<Pick<ParentEnd, "exitCode" | "signal" | "stdout" | "stderr">> {
  const { exitCode, signal, stdout, stderr } = await running;
  return { exitCode: exitCode ?? null, signal: signal ?? null, stdout, stderr };
}

function parseEvent(line: string): string | null {
  try {
    const { type, phase } = JSON.parse(line) as { type?: unknown; phase?: unknown };
    if (type === "phase") return String(phase);
    return typeof type === "string" ? type : null;
  } catch {
    return null;
  }
}
