import type { ControlKind } from "./run-record.ts";
import type { VerdictType } from "./verdict.ts";

/**
 * The result of a control. `loses-the-claim`: the renumbered product, which should behave like the real one, does not show the
 * claim. `missing`: the control could not be made (no adapter for the language, no tracked source). `not-run`: the verdict did
 * not need it.
 */
export type ControlOutcome = "passed" | "shows-the-claim" | "loses-the-claim" | "missing" | "not-run";

/** A version of the product: a commit, with its tag or published version if it has one. */
export interface VersionOfProduct {
  readonly commit: string | null;
  readonly version: string | null;
}

/** One end of a range: the version that introduced the bug, or the version that fixed it. */
export type RangeEnd =
  | { type: "exact"; at: VersionOfProduct }
  /** First bad only: no earlier version that could be run is free of the bug. */
  | { type: "initial"; at: VersionOfProduct }
  /** The end lies between these two versions; `untestable` says which versions could not be tested and why. */
  | { type: "interval"; after: VersionOfProduct; upTo: VersionOfProduct; untestable: string }
  /** Only for the first fixed version: the newest version still has the bug. */
  | { type: "never" }
  | { type: "unknown"; reason: string };

export interface Range {
  readonly firstBad: RangeEnd;
  readonly firstFixed: RangeEnd;
  /** The number of changes of the state over all tested versions. More than two changes mean that the bug came back. */
  readonly flips: number;
  /** Sentences for people: which versions were skipped and why, and where a bug came back. */
  readonly notes: readonly string[];
}

/** The regression test made from the reproduction. */
export interface RegressionTestGrade {
  readonly framework: string;
  readonly failsBefore: boolean;
  /** null: no fixed version is known. */
  readonly passesAfter: boolean | null;
}

/** The place of the parent's own runs. `same` means the Triage Agent's own Coder workspace, which is weaker evidence. */
export type PlaceKind = "fresh" | "same";

/**
 * The data of the grade line, which tells readers how strong the evidence is. `ungraded`: stored by a version of afk-triage that
 * made no control runs.
 */
export interface Grade {
  readonly verdict: VerdictType | "ungraded";
  readonly runs: { readonly matched: number; readonly total: number };
  readonly controls: Readonly<Record<ControlKind, ControlOutcome>>;
  readonly range: Range | null;
  readonly test: RegressionTestGrade | null;
  readonly place: PlaceKind;
}
