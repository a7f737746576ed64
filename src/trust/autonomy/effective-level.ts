import { factsOfType, outcomeKey, type TrustFact } from "../trust-fact.ts";
import type { AutonomyLevel, AutonomySettings, OutcomeKind } from "../outcome-kind.ts";
import { type AutonomyEvent, decideAutonomy } from "./decide-autonomy.ts";
import { type Judgement, judgementOf } from "./judged-outcomes.ts";

/**
 * Returns the level at which outcomes of a kind are published in a repository. `facts` are the facts of that repository. Pure.
 */
export function effectiveLevel(
  kind: OutcomeKind,
  settings: AutonomySettings,
  facts: readonly TrustFact[],
): AutonomyLevel {
  const setting = settings[kind];
  return setting === "earned" ? decideAutonomy(recordOf(kind, facts)).level : setting;
}

/**
 * Returns a kind's judgements, vetoes and releases in the order in which they were recorded. Later facts about an earlier outcome
 * therefore never change the effect of the record up to then: an override of an accepted outcome is a further judgement.
 */
export function recordOf(kind: OutcomeKind, facts: readonly TrustFact[]): AutonomyEvent[] {
  const outcomes = new Map<string, TrustFact[]>();
  const judgementNow = (about: readonly TrustFact[]): Judgement => {
    const [decided] = factsOfType(about, "decided");
    const counts = decided?.detail.kind === kind && decided.detail.level !== "off";
    return counts ? judgementOf(decided, about) : "open";
  };
  return facts.flatMap((fact): AutonomyEvent[] => {
    if (fact.type === "vetoed" || fact.type === "released")
      return fact.detail.kind === kind ? [{ type: fact.type }] : [];
    const about = outcomes.get(outcomeKey(fact)) ?? [];
    outcomes.set(outcomeKey(fact), about);
    const before = judgementNow(about);
    about.push(fact);
    const judgement = judgementNow(about);
    if (judgement === before || judgement === "open") return [];
    return [{ type: "judged", isAccepted: judgement === "accepted", number: fact.number ?? 0 }];
  });
}
