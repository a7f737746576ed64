import type { CloseReason } from "../../github/index.ts";
import type { IssueCategory, TriageState } from "../outcome.ts";
import type { CommentContent } from "./comment-content.ts";

/** The state that an issue has after its triage notes are published. */
export interface PublicationTarget {
  /** null: the target has no state role; then `labels` is `leave`. */
  state: TriageState | null;
  /** null: unknown, so category labels stay as they are. */
  category: IssueCategory | null;
  close: CloseReason | null;
  /** `leave`: only the comment is published (policy 4: no label is removed). */
  labels: "set" | "leave";
  /** The number of the open issue that stands for a bug whose report is closed as a duplicate; absent: it is not closed as one. */
  canonical?: number;
}

/** The decision about what is published for one issue. Roles and close are the target; the comment explains them. */
export interface Decision extends PublicationTarget {
  state: TriageState;
  /** The codes of the rules that were applied, in order. They are stable and shown in the summary. */
  policy: PolicyCode[];
  comment: CommentContent;
}

export type PolicyCode =
  | "conflicting-labels"
  | "no-valid-outcome"
  /** The Triage Agent was stopped at the cost limit of one Triage Run. */
  | "run-budget-spent"
  | "security-report"
  /** The outcome came in a schema without the `security` field, which never counts as “none”. */
  | "security-unstated"
  | "low-confidence"
  | "reproduction-verified"
  /** Weaker than `reproduction-verified`: one control is missing, because no deaf control exists for the product's language. */
  | "reproduction-verified-in-part"
  | "reproduction-flaky"
  | "reproduction-not-verified"
  /** The runs show what is claimed but do not prove the bug. */
  | "reproduction-unproven"
  /** The bug shows on the reported version and no longer on the default branch. */
  | "already-fixed"
  /** There was no checkout in which the reproduction could run. */
  | "verification-impossible"
  | "incomplete-outcome"
  /** A question that the reporter has answered was not asked again. */
  | "answered-question-dropped"
  | "bug-wontfix"
  /** Too uncertain, or without an established fact, to be closed without a person (V12). */
  | "bug-wontfix-uncertain"
  | "enhancement-wontfix"
  /** The Triage Agent chose a candidate of which this issue may be a duplicate. */
  | "possible-duplicate"
  /** The reproductions of both issues have the same cause. */
  | "proven-duplicate"
  /** The Triage Agent named an issue that it was not offered. */
  | "duplicate-not-offered";
