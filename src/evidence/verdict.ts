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
  /** The same run sometimes shows the claim and sometimes does not. */
  /** `shownIn` is not empty where a control shows the claim as well: then it is no evidence either. */
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
  return verdict.type === "verified" || (verdict.type === "flaky" && verdict.shownIn.length === 0);
}
