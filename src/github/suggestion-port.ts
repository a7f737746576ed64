import type { IssueRef } from "./port.ts";

/**
 * A change to an issue that a program proposed on GitHub, where maintainers accept or dismiss it. It is a public preview;
 * source: schema `issue-suggestion` of GitHub's OpenAPI description (`@octokit/openapi` 23.0.2).
 */
export interface IssueSuggestion {
  id: number;
  /** Such as `add_label`. */
  action: string;
  state: "pending" | "applied" | "approved" | "dismissed" | "replaced" | "invalidated";
  /** The label's name in an `add_label` suggestion; null for other suggestions, or if GitHub sends no text. */
  target: string | null;
  /** The account that proposed it; null: GitHub does not report it. */
  actorId: number | null;
  /** The account that approved or dismissed it; null if it is not decided yet. */
  resolvedById: number | null;
  updatedAt: string;
}

export interface LabelSuggestion {
  name: string;
  /** Public text of at most 280 characters. */
  rationale: string;
  /** null: not stated. */
  confidence: "low" | "medium" | "high" | null;
}

/** The port for GitHub's suggestions. It cannot approve a suggestion, because that is a person's decision. */
export interface GithubSuggestions {
  /** Returns the issue's suggestions; null: this GitHub, repository or credential has none (403, 404, 422). */
  list(ref: IssueRef, state: "pending" | "all", signal: AbortSignal): Promise<IssueSuggestion[] | null>;
  /**
   * Sends one request and returns the labels that the issue has afterwards; null as for `list`. It must be called only after `list`
   * has returned a list: a GitHub without suggestions adds the labels to the issue.
   */
  suggestLabels(
    ref: IssueRef,
    labels: readonly LabelSuggestion[],
    signal: AbortSignal,
  ): Promise<readonly string[] | null>;
  /** Dismisses a suggestion. Dismissing one that is no longer pending, or does not exist, succeeds. */
  dismiss(ref: IssueRef, id: number, signal: AbortSignal): Promise<void>;
}
