/**
 * The kinds of control runs of one verification: the product is absent, cannot be loaded, returns different values, or has only
 * another version number and source text.
 */
export const CONTROL_KINDS = ["absent", "broken", "deaf", "renumbered"] as const;

export type ControlKind = (typeof CONTROL_KINDS)[number];
export type RunKind = "real" | ControlKind;

export type RunEnd =
  | { type: "exited"; exitCode: number }
  /** The parent's time limit ended the script. */
  | { type: "timed-out"; limitMs: number }
  /** The Session ended during the run, because the script ended the shell that ran it. */
  | { type: "interrupted" };

/** A difference between the checkout before a run and after it. */
export interface TreeChange {
  /** Relative to the checkout. */
  readonly path: string;
  /** `linked`: a new symbolic link, under an unused name, to a file or folder that the checkout contained before the run. */
  readonly type: "modified" | "deleted" | "added" | "linked";
}

/** One run of a reproduction by the parent, as a Waited Run with its own checkout, HOME and TMPDIR. */
export interface RunRecord {
  readonly kind: RunKind;
  /**
   * The answers that a deaf product returned; null for the first deaf run (other values of the same shape) and for all other
   * kinds.
   */
  readonly answers: string | null;
  /** The day to which the clock was moved (`2024-06-30`), in a renumbered run only; absent: the clock was right. */
  readonly day?: string;
  /** The order in which the runs took place, from 0. */
  readonly order: number;
  /** Whether no other run of the verification took place at the same time. */
  readonly alone: boolean;
  readonly end: RunEnd;
  /**
   * Plain text of both streams. If there was more than `MAX_OUTPUT_CHARACTERS`, only the end is kept, after the lines that contain
   * the claimed text.
   */
  readonly output: string;
  /** SHA-256 of all output that was read, in hex. */
  readonly outputHash: string;
  readonly durationMs: number;
  readonly changes: readonly TreeChange[];
  readonly screenHash: string;
}

/** The maximum number of bytes, from the end, that are read of one run's output. */
export const OUTPUT_MAX_BYTES = 4_000_000;
/** The number of characters of one run's output that are kept, so that whole outputs can be compared. */
export const MAX_OUTPUT_CHARACTERS = 200_000;
