import type { AutonomyLevel, OutcomeKind } from "../../trust/index.ts";
import type { PublicationTarget } from "../policy/index.ts";

export type Restrained =
  /** `proposed`: the part that a person still has to accept; null: nothing. */
  { type: "publish"; target: PublicationTarget; proposed: PublicationTarget | null } | { type: "withhold" };

/**
 * Returns the kind of outcome to which autonomy applies; null for a publication that changes neither labels nor state, such as
 * the comment of a sweep.
 */
export function kindOf({ state, close }: PublicationTarget): OutcomeKind | null {
  if (close !== null) return "close";
  return state === "wontfix" ? "close" : state;
}

/**
 * Returns the part of a publication that autonomy allows (E4). Pure, and the only place that enforces autonomy: the applier
 * publishes only what has passed this function. A repair, which is the rest of a publication that passed it earlier, passes it
 * again: it is withheld or finished like that publication. A proposal without a comment could not be answered, so it is withheld.
 */
export function restrain(target: PublicationTarget, level: AutonomyLevel, hasComment: boolean): Restrained {
  switch (level) {
    case "apply":
      return { type: "publish", target, proposed: null };
    case "suggest": {
      if (!hasComment) return { type: "withhold" };
      const changesNothing = target.labels === "leave" && target.close === null;
      const proposed = changesNothing ? null : target;
      return { type: "publish", target: { ...target, labels: "leave", close: null }, proposed };
    }
    case "shadow":
    case "off":
      return { type: "withhold" };
  }
}
