import { groupedBy } from "../grouped-by.ts";
import { factsOfType, outcomeKey, type TrustFact, type TrustFactOf } from "../trust-fact.ts";

/** How an outcome is known to have been received. `open`: nothing is known yet, or never will be. */
export interface JudgedOutcome {
  decided: TrustFactOf<"decided">;
  judgement: "accepted" | "overridden" | "open";
  /** When it was judged; null while it is open. */
  atMs: number | null;
}

/**
 * Every outcome with its judgement, in the order in which they were decided. Pure. An override counts more than everything
 * else. An applied outcome is also accepted when nothing spoke against it until its observation ended; one that was proposed or
 * only recorded needs a person's act.
 */
export function judgedOutcomes(facts: readonly TrustFact[]): JudgedOutcome[] {
  const byOutcome = groupedBy(facts, outcomeKey);
  return factsOfType(facts, "decided").map((decided) => {
    const about = byOutcome.get(outcomeKey(decided)) ?? [];
    const against = about.find(
      (fact) => fact.type === "overridden" || (fact.type === "answered" && fact.detail.answer === "reject"),
    );
    const inFavour = about.find(
      (fact) =>
        fact.type === "endorsed" ||
        (fact.type === "answered" && fact.detail.answer === "accept") ||
        (fact.type === "stood" && decided.detail.level === "apply"),
    );
    if (against !== undefined) return { decided, judgement: "overridden", atMs: against.atMs };
    if (inFavour !== undefined) return { decided, judgement: "accepted", atMs: inFavour.atMs };
    return { decided, judgement: "open", atMs: null };
  });
}
