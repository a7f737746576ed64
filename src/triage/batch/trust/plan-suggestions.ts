import type { Issue, IssueSuggestion, LabelSuggestion } from "../../../github/index.ts";
import type { LabelNames } from "../../labels.ts";
import type { PublicationTarget } from "../../policy/index.ts";

export interface SuggestionFacts {
  target: PublicationTarget;
  issue: Pick<Issue, "labels" | "state" | "locked">;
  /** All suggestions that wait for an answer, from any author. */
  pending: readonly IssueSuggestion[];
  /** Our own numeric user id. */
  viewerId: number;
  names: LabelNames;
  runId: string;
  confidence: LabelSuggestion["confidence"];
}

/**
 * Returns the labels of a proposal to suggest on GitHub as well: those that the issue does not have and that we have not
 * suggested yet. Pure. The rationale is our own text and contains no word of the issue or of its Triage Agent.
 */
export function planSuggestions(facts: SuggestionFacts): LabelSuggestion[] {
  const { target, issue, pending, viewerId, names, runId, confidence } = facts;
  if (target.labels !== "set" || issue.state === "closed" || issue.locked) return [];
  const lower = (text: string): string => text.toLowerCase();
  const present = new Set(issue.labels.map(lower));
  const suggested = new Set(
    pending
      .filter(({ action, actorId }) => action === "add_label" && actorId === viewerId)
      .map(({ target: label }) => lower(label ?? "")),
  );
  return [target.category, target.state]
    .filter((role) => role !== null)
    .map((role) => names[role])
    .filter((name) => !present.has(lower(name)) && !suggested.has(lower(name)))
    .map((name) => ({
      name,
      rationale: `Proposed by triage run ${runId}; the comment of that run gives the reasons.`,
      confidence,
    }));
}
