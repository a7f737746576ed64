import type { ControlKind } from "./run-record.ts";

/** Why the bug is not shown, in words for people. */
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
   * No control that could be made shows the claim, but a layer (deaf or renumbered) could not be made for the product's
   * language: a script that ignores what the product answers is not told from an honest one.
   */
  | { type: "verified-in-part"; missing: readonly ControlKind[]; reason: string }
  /**
   * The same run sometimes shows the claim and sometimes does not. `shownIn` is not empty where a control shows the claim as well:
   * then it is no evidence either.
   */
  | { type: "flaky"; matched: number; runs: number; shownIn: readonly ControlKind[] }
  | { type: "not-reproduced"; reason: string }
  /** The claim is shown also where the product cannot have caused it. */
  | { type: "vacuous"; shownIn: readonly ControlKind[]; reason: string }
  | { type: "environment"; cause: EnvironmentCause; reason: string }
  | { type: "tampering"; paths: readonly string[]; reason: string }
  /** The script uses something of the product that never was part of it. */
  | { type: "wrong-call"; name: string; reason: string };

export type VerdictType = Verdict["type"];

/** Only a verified claim, or a flaky one that no control shows, may make a bug ready for an implementation agent. */
export function isEvidence(verdict: Verdict): boolean {
  const isVerified = verdict.type === "verified" || verdict.type === "verified-in-part";
  return isVerified || (verdict.type === "flaky" && verdict.shownIn.length === 0);
}
