import type { CloseReason } from "../../github/index.ts";
import type { Outcome, TriageState } from "../outcome.ts";
import type { CommentContent, Findings, NeedsTriageContent, Tried } from "./comment-content.ts";
import type { PolicyCode } from "./decision.ts";
import type { OpenQuestions } from "./open-questions.ts";

/** The part of a decision that depends on the proposed outcome. */
export interface Proposal {
  state: TriageState;
  close: CloseReason | null;
  policy: PolicyCode[];
  comment: CommentContent;
}

/** The parts of a needs-info comment; `open` lists the questions that are left to ask. */
export interface Request {
  findings: Findings;
  tried: Tried | null;
  open: OpenQuestions;
  policy: PolicyCode[];
  /** The text for people when no question is left to ask. */
  otherwise: string;
}

/**
 * Returns the proposal that asks the open questions. If the reporter has answered all of them, it leaves notes, because the next
 * step is a maintainer's.
 */
export function needsInfo({ findings, tried, open, policy, otherwise }: Request): Proposal {
  const { questions, hasDropped } = open;
  const codes: PolicyCode[] = hasDropped ? [...policy, "answered-question-dropped"] : policy;
  return questions.length > 0
    ? {
        state: "needs-info",
        close: null,
        policy: codes,
        comment: { template: "needs-info", findings, tried, questions },
      }
    : notes({ problem: otherwise, findings, tried, questions: [] }, codes);
}

/** Returns the reproduction that the Triage Agent reports as tried, without verification. null: it tried none. */
export function reported({ reproduction }: Outcome): Tried | null {
  return reproduction?.attempted === true ? { type: "reported", reproduction } : null;
}

/** Returns the proposal that keeps the issue in triage, with notes that say why. */
export function needsTriage(
  problem: string,
  outcome: Outcome,
  findings: Findings,
  policy: PolicyCode[],
  tried: Tried | null = null,
): Proposal {
  return notes({ problem, findings, tried, questions: outcome.questions }, policy);
}

function notes(content: Omit<NeedsTriageContent, "template">, policy: PolicyCode[]): Proposal {
  return {
    state: "needs-triage",
    close: null,
    policy,
    comment: { template: "needs-triage", ...content },
  };
}
