import type { ControlKind } from "./run-record.ts";

/** The faults of the environment that prevent a script from showing the bug. */
export type EnvironmentCause =
  | "missing-tool"
  | "missing-module"
  | "missing-file"
  | "network"
  | "permission"
  | "disk"
  | "killed"
  | "time-limit";

/** The verdict of the parent's own runs on a reproduction. `reason` is a sentence for people. */
export type Verdict =
  | { type: "verified" }
  /**
   * No control that could be made shows the claim, but a layer (deaf or renumbered) could not be made for the product's language.
   * So a script that ignores the product's answers cannot be distinguished from an honest one.
   */
  | { type: "verified-in-part"; missing: readonly ControlKind[]; reason: string }
  /**
   * The same run sometimes shows the claim and sometimes does not. `shownIn` lists the controls that show the claim as well; if
   * there is one, the result is not evidence.
   */
  | { type: "flaky"; matched: number; runs: number; shownIn: readonly ControlKind[] }
  | { type: "not-reproduced"; reason: string }
  /** A run shows the claim even though the product cannot have caused it. */
  | { type: "vacuous"; shownIn: readonly ControlKind[]; reason: string }
  | { type: "environment"; cause: EnvironmentCause; reason: string }
  | { type: "tampering"; paths: readonly string[]; reason: string }
  /** The script uses a name that the product never had, or gives it null or undefined where the issue does not. */
  | { type: "wrong-call"; name: string; reason: string };

export type VerdictType = Verdict["type"];

/**
 * Returns whether a verdict may make a bug ready for an implementation agent: only a verified claim, or a flaky one that no control
 * shows.
 */
export function isEvidence(verdict: Verdict): boolean {
  const isVerified = verdict.type === "verified" || verdict.type === "verified-in-part";
  return isVerified || (verdict.type === "flaky" && verdict.shownIn.length === 0);
}
