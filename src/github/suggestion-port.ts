import type { IssueRef } from "./port.ts";

/**
 * A change to an issue that somebody's program proposed to GitHub itself, where maintainers accept or dismiss it. A public preview;
 * source: schema `issue-suggestion` of GitHub's OpenAPI description (`@octokit/openapi` 23.0.2).
 */
export interface IssueSuggestion {
  id: number;
  /** Such as `add_label`. */
  action: string;
  state: "pending" | "applied" | "approved" | "dismissed" | "replaced" | "invalidated";
  /** The label's name in an `add_label` suggestion; null for other suggestions, or if GitHub sends no text. */
  target: string | null;
  /** The account that proposed it; null: GitHub does not say. */
  actorId: number | null;
  /** The account that approved or dismissed it; null: nobody yet. */
  resolvedById: number | null;
  updatedAt: string;
}

export interface LabelSuggestion {
  name: string;
  /** Public text of at most 280 characters. */
  rationale: string;
  /** null: not told. */
  confidence: "low" | "medium" | "high" | null;
}

/** GitHub's own suggestions. Nothing here approves one: that is a person's decision. */
export interface GithubSuggestions {
  /** null: this GitHub, repository or credential has no suggestions (403, 404, 422). */
  list(ref: IssueRef, state: "pending" | "all", signal: AbortSignal): Promise<IssueSuggestion[] | null>;
  /**
   * One request, and the labels that the issue has after it; null as for `list`. Only after `list` has answered with a list: a GitHub
   * without suggestions puts the labels on the issue.
   */
  suggestLabels(
    ref: IssueRef,
    labels: readonly LabelSuggestion[],
    signal: AbortSignal,
  ): Promise<readonly string[] | null>;
  /** One that is no longer pending, or gone, is done. */
  dismiss(ref: IssueRef, id: number, signal: AbortSignal): Promise<void>;
}
