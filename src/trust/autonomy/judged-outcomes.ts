import { groupedBy } from "../grouped-by.ts";
import { factsOfType, outcomeKey, type TrustFact, type TrustFactOf } from "../trust-fact.ts";

/** How an outcome was received. `open`: nothing is known yet, or never will be. */
export type Judgement = "accepted" | "overridden" | "open";

export interface JudgedOutcome {
  decided: TrustFactOf<"decided">;
  judgement: Judgement;
}

/** Every outcome with its judgement, in the order in which they were decided. Pure. */
export function judgedOutcomes(facts: readonly TrustFact[]): JudgedOutcome[] {
  const byOutcome = groupedBy(facts, outcomeKey);
  return factsOfType(facts, "decided").map((decided) => ({
    decided,
    judgement: judgementOf(decided, byOutcome.get(outcomeKey(decided)) ?? []),
  }));
}

/**
 * What the facts about an outcome say of it. Pure. An override counts more than everything else. An applied outcome is also
 * accepted when nothing spoke against it until its observation ended; one that was proposed or only recorded needs a person's act.
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
