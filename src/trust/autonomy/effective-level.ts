import type { TrustFact } from "../trust-fact.ts";
import type { AutonomyLevel, AutonomySettings, OutcomeKind } from "../outcome-kind.ts";
import { type AutonomyEvent, decideAutonomy } from "./decide-autonomy.ts";
import { judgedOutcomes } from "./judged-outcomes.ts";

/** The level at which outcomes of a kind are published in a repository. `facts` are those of that repository. Pure. */
export function effectiveLevel(
  kind: OutcomeKind,
  settings: AutonomySettings,
  facts: readonly TrustFact[],
): AutonomyLevel {
  const setting = settings[kind];
  return setting === "earned" ? decideAutonomy(recordOf(kind, facts)).level : setting;
}

/** A kind's judged outcomes, vetoes and releases in order of time. */
export function recordOf(kind: OutcomeKind, facts: readonly TrustFact[]): AutonomyEvent[] {
  const judged = judgedOutcomes(facts).flatMap(({ decided, judgement, atMs }) =>
    decided.detail.kind === kind && atMs !== null && decided.detail.level !== "off"
      ? [
          {
            atMs,
            event: {
              type: "judged" as const,
              isAccepted: judgement === "accepted",
              number: decided.number ?? 0,
            },
          },
        ]
      : [],
  );
  const byPeople = facts.flatMap((fact) =>
    (fact.type === "vetoed" || fact.type === "released") && fact.detail.kind === kind
      ? [{ atMs: fact.atMs, event: { type: fact.type } }]
      : [],
  );
  return [...judged, ...byPeople].toSorted((a, b) => a.atMs - b.atMs).map(({ event }) => event);
}
