import type { SessionExit } from "../home/index.ts";

/** A range of the Event Log, including both ends; empty if `toSeq` is below `fromSeq`. */
export interface EventRange {
  fromSeq: number;
  toSeq: number;
}

/**
 * How a Waited Run ends, in three distinct ways (A16). A caller timeout does not cancel the command, and its completion is still
 * recognised later.
 */
export type WaitedRunResult =
  /** A command that the shell found incomplete (an open quote or here-document) is cancelled and ends with 130. */
  | { type: "completed"; exitCode: number; durationMs: number; output: EventRange }
  /** `accepted` is false if the shell never showed a prompt, so that nothing was typed. */
  | { type: "timed-out"; accepted: boolean; durationMs: number; output: EventRange; visibleText: string }
  | { type: "interrupted"; exit: SessionExit; durationMs: number; output: EventRange };

export interface WaitOptions {
  /** How long the caller waits, in milliseconds. */
  callerTimeoutMs: number;
  signal?: AbortSignal;
}

export interface RunOptions extends WaitOptions {
  /** false: nobody waits for the end, so later runs may be typed to a shell that the command starts (default true). */
  waits?: boolean;
}
