import type { Verification } from "../verification.ts";
import type { Evidence } from "./comment-content.ts";
import type { PolicyCode } from "./decision.ts";

/** The parent saw the bug in all or some of its own runs. */
export type SeenVerification = Extract<Verification, { type: "reproduced" | "flaky" }>;

/** Returns the runs that showed the bug, with the policy code for their strength. */
export function seenEvidence(verification: SeenVerification): { evidence: Evidence; policy: PolicyCode } {
  const { reproduction, runs, insight } = verification;
  if (verification.type === "flaky") {
    const { matchedRuns } = verification;
    return { evidence: { reproduction, runs, matchedRuns, insight }, policy: "reproduction-flaky" };
  }
  const isWhole = insight.grade?.verdict !== "verified-in-part";
  return {
    evidence: { reproduction, runs, matchedRuns: runs.length, insight },
    policy: isWhole ? "reproduction-verified" : "reproduction-verified-in-part",
  };
}
