import { groupedBy } from "../grouped-by.ts";
import { factsOfType, outcomeKey, type TrustFact, type TrustFactOf } from "../trust-fact.ts";

/** Whether people accepted or overrode an outcome. `open`: it is not known yet, or never will be. */
export type Judgement = "accepted" | "overridden" | "open";

export interface JudgedOutcome {
  decided: TrustFactOf<"decided">;
  judgement: Judgement;
}

/** Returns every outcome with its judgement, in the order in which the outcomes were decided. Pure. */
export function judgedOutcomes(facts: readonly TrustFact[]): JudgedOutcome[] {
  const byOutcome = groupedBy(facts, outcomeKey);
  return factsOfType(facts, "decided").map((decided) => ({
    decided,
    judgement: judgementOf(decided, byOutcome.get(outcomeKey(decided)) ?? []),
  }));
}

/**
 * Decides from the facts about an outcome whether it was accepted. Pure. An override or a rejection outweighs everything else. An
 * applied outcome also counts as accepted if there was no objection until the end of its observation; an outcome that was only
 * proposed or recorded needs a person's act.
 */
export function judgementOf(decided: TrustFactOf<"decided">, about: readonly TrustFact[]): Judgement {
  const isAgainst = (fact: TrustFact): boolean =>
    fact.type === "overridden" || (fact.type === "answered" && fact.detail.answer === "reject");
  const isInFavour = (fact: TrustFact): boolean =>
    fact.type === "endorsed" ||
    (fact.type === "answered" && fact.detail.answer === "accept") ||
    (fact.type === "stood" && decided.detail.level === "apply");
  if (about.some(isAgainst)) return "overridden";
  return about.some(isInFavour) ? "accepted" : "open";
}
