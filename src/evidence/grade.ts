import type { ControlKind } from "./run-record.ts";
import type { VerdictType } from "./verdict.ts";

/**
 * How a control came out. `loses-the-claim`: the renumbered product, which should behave as the real one, does not show it.
 * `missing`: it could not be made (no adapter for the language, no tracked source). `not-run`: the verdict stood without it.
 */
export type ControlOutcome = "passed" | "shows-the-claim" | "loses-the-claim" | "missing" | "not-run";

/** A version of the product: a commit, with its tag or published version where it has one. */
export interface VersionOfProduct {
  readonly commit: string | null;
  readonly version: string | null;
}

/** One end of a range: where the bug came in, or where it went. */
export type RangeEnd =
  | { type: "exact"; at: VersionOfProduct }
  /** First bad only: no earlier version that could be run is free of the bug. */
  | { type: "initial"; at: VersionOfProduct }
  /** Between these two, `untestable` says what could not be tested and why. */
  | { type: "interval"; after: VersionOfProduct; upTo: VersionOfProduct; untestable: string }
  /** First fixed only: the newest version still has the bug. */
  | { type: "never" }
  | { type: "unknown"; reason: string };

export interface Range {
  readonly firstBad: RangeEnd;
  readonly firstFixed: RangeEnd;
  /** How often the state changes over all versions that were tested; more than two: the bug came back. */
  readonly flips: number;
  /** Sentences for people: what was left out and why, and where a bug came back. */
  readonly notes: readonly string[];
}

/** The regression test made of the reproduction. */
export interface RegressionTestGrade {
  readonly framework: string;
  readonly failsBefore: boolean;
  /** null: no version with a fix is known. */
  readonly passesAfter: boolean | null;
}

/** Where the parent's own runs took place: `same` is the Triage Agent's own Coder workspace, and weaker. */
export type PlaceKind = "fresh" | "same";

/** The line about the evidence for readers. `ungraded`: stored by a version that made no control runs. */
export interface Grade {
  readonly verdict: VerdictType | "ungraded";
  readonly runs: { readonly matched: number; readonly total: number };
  readonly controls: Readonly<Record<ControlKind, ControlOutcome>>;
  readonly range: Range | null;
  readonly test: RegressionTestGrade | null;
  readonly place: PlaceKind;
}
