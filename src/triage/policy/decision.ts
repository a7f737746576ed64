import type { CloseReason } from "../../github/index.ts";
import type { IssueCategory, TriageState } from "../outcome.ts";
import type { CommentContent } from "./comment-content.ts";

/** The state of an issue once its triage notes are published. */
export interface PublicationTarget {
  /** null: no state role follows from it; then `labels` is `leave`. */
  state: TriageState | null;
  /** null: not known, so category labels stay as they are. */
  category: IssueCategory | null;
  close: CloseReason | null;
  /** `leave`: the comment is all there is to publish (policy 4: nothing is erased). */
  labels: "set" | "leave";
}

/** The publication for one issue. Roles and close are the target; the comment explains them. */
export interface Decision extends PublicationTarget {
  state: TriageState;
  /** Which rules shaped it, in the order they applied; stable, for the summary. */
  policy: PolicyCode[];
  comment: CommentContent;
}

export type PolicyCode =
  | "conflicting-labels"
  | "no-valid-outcome"
  /** The Triage Agent was stopped at what one Triage Run may cost. */
  | "run-budget-spent"
  | "security-report"
  /** The outcome came in a schema without the `security` field, which never counts as “none”. */
  | "security-unstated"
  | "low-confidence"
  | "reproduction-verified"
  /** A control is missing, because nothing makes the product's language deaf: weaker than `reproduction-verified`. */
  | "reproduction-verified-in-part"
  | "reproduction-flaky"
  | "reproduction-not-verified"
  /** The runs show what is claimed, and prove nothing by it. */
  | "reproduction-unproven"
  /** The bug shows on the reported version and no longer on the default branch. */
  | "already-fixed"
  /** There was no checkout to run the reproduction in. */
  | "verification-impossible"
  | "incomplete-outcome"
  /** A question that the reporter has answered was not asked again. */
  | "answered-question-dropped"
  | "bug-wontfix"
  /** Too uncertain, or without an established fact, to be closed without a person (V12). */
  | "bug-wontfix-uncertain"
  | "enhancement-wontfix"
  /** The Triage Agent chose it among the candidates: it may be one. */
  | "possible-duplicate"
  /** The reproductions of both issues show one cause. */
  | "proven-duplicate"
  /** The Triage Agent named an issue that it was not offered. */
  | "duplicate-not-offered";
