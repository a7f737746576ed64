import type { Verification } from "../verification.ts";
import type { Findings } from "./comment-content.ts";
import type { Proposal } from "./proposal.ts";

/**
 * Returns the proposal for a bug that shows only on the reported version (V5). A maintainer decides whether to close the issue or
 * to release the fix; the program never closes it.
 */
export function fixedProposal(
  { fixed, test, reproduction, runs }: Extract<Verification, { type: "already-fixed" }>,
  findings: Findings,
): Proposal {
  // The Triage Agent's own text describes a bug that is still present, or one that it did not see, so it is dropped.
  const stated = { ...findings, summary: "", established: [] };
  const tried = { type: "verified", reproduction, runs, grade: null } as const;
  const why = { type: "already-fixed", findings: stated, fixed, test, tried } as const;
  return {
    state: "ready-for-human",
    close: null,
    policy: ["already-fixed"],
    comment: { template: "ready-for-human", why },
  };
}
