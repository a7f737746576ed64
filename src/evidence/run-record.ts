/** The control runs of one verification: the product is gone, cannot be loaded, gives other answers, or is only renumbered. */
export const CONTROL_KINDS = ["absent", "broken", "deaf", "renumbered"] as const;

export type ControlKind = (typeof CONTROL_KINDS)[number];
export type RunKind = "real" | ControlKind;

export type RunEnd =
  | { type: "exited"; exitCode: number }
  /** The time limit of the parent ended the script. */
  | { type: "timed-out"; limitMs: number }
  /** The Session ended during the run: the script ended the shell above it. */
  | { type: "interrupted" };

/** A difference between the checkout before a run and after it. */
export interface TreeChange {
  /** Relative to the checkout. */
  readonly path: string;
  /**
   * `linked`: a new symbolic link to a file or folder that the checkout held before the run, under a name that was free. `rebuilt`: what
   * the set-up had built, and the script has built again or removed.
   */
  readonly type: "modified" | "deleted" | "added" | "linked" | "rebuilt";
}

/** One run of a reproduction by the parent, as a Waited Run in a checkout, HOME and TMPDIR of its own. */
export interface RunRecord {
  readonly kind: RunKind;
  /** Which answers a deaf product gave; null for the first deaf run (other values of the same shape) and all other kinds. */
  readonly answers: string | null;
  /** The order in which the runs took place, from 0. */
  readonly order: number;
  /** No other run of the verification took place at the same time. */
  readonly alone: boolean;
  readonly end: RunEnd;
  /**
   * Plain text of both streams. When there was more than `MAX_OUTPUT_CHARACTERS`: its end, after the lines that hold the claimed text.
   */
  readonly output: string;
  /** SHA-256 of the whole output as far as it was read, hex. */
  readonly outputHash: string;
  readonly durationMs: number;
  readonly changes: readonly TreeChange[];
  readonly screenHash: string;
}

/** Read of the output of one run: its end. */
export const OUTPUT_MAX_BYTES = 4_000_000;
/** Kept of the output of one run, for the comparison of whole outputs. */
export const MAX_OUTPUT_CHARACTERS = 200_000;
