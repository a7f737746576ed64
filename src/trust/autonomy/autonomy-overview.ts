import type { TrustFact } from "../trust-fact.ts";
import {
  type AutonomyLevel,
  type AutonomySetting,
  type AutonomySettings,
  outcomeKinds,
} from "../outcome-kind.ts";
import { wilsonInterval } from "../wilson.ts";
import { type AutonomyMove, decideAutonomy } from "./decide-autonomy.ts";
import { effectiveLevel, recordOf } from "./effective-level.ts";

/** One kind of outcome in one repository. */
export interface KindOverview {
  kind: (typeof outcomeKinds)[number];
  setting: AutonomySetting;
  level: AutonomyLevel;
  isHeld: boolean;
  /** The outcomes judged since the last move, at most the newest 200, and how many of them were accepted. */
  judged: number;
  accepted: number;
  /** The lower bound that has to reach 0.95. */
  lower: number;
  moves: readonly AutonomyMove[];
}

/** Pure. Returns the overview of every kind. `facts` are the facts of one repository. */
export function autonomyOverview(settings: AutonomySettings, facts: readonly TrustFact[]): KindOverview[] {
  return outcomeKinds.map((kind) => {
    const { isHeld, judged, moves } = decideAutonomy(recordOf(kind, facts));
    const accepted = judged.filter(Boolean).length;
    return {
      kind,
      setting: settings[kind],
      level: effectiveLevel(kind, settings, facts),
      isHeld,
      judged: judged.length,
      accepted,
      lower: wilsonInterval(accepted, judged.length).lower,
      moves,
    };
  });
}
