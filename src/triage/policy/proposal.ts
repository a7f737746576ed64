import type { CloseReason } from "../../github/index.ts";
import type { Outcome, TriageState } from "../outcome.ts";
import type { CommentContent, Findings } from "./comment-content.ts";
import type { PolicyCode } from "./decision.ts";

/** The part of a decision that depends on the outcome proposed. */
export interface Proposal {
  state: TriageState;
  close: CloseReason | null;
  policy: PolicyCode[];
  comment: CommentContent;
}

export function needsInfo(outcome: Outcome, findings: Findings, policy: PolicyCode[]): Proposal {
  const { reproduction, questions } = outcome;
  const tried = reproduction?.attempted === true ? ({ type: "reported", reproduction } as const) : null;
  return {
    state: "needs-info",
    close: null,
    policy,
    comment: { template: "needs-info", findings, tried, questions },
  };
}

export function needsTriage(
  problem: string,
  outcome: Outcome,
  findings: Findings,
  policy: PolicyCode[],
): Proposal {
  const { questions } = outcome;
  return {
    state: "needs-triage",
    close: null,
    policy,
    comment: { template: "needs-triage", problem, findings, questions },
  };
}
