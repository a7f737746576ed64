import type { AutonomyLevel, OutcomeKind } from "../../trust/index.ts";
import type { PublicationTarget } from "../policy/index.ts";

export type Restrained =
  /** `proposed`: what a person still has to accept; null: nothing. */
  { type: "publish"; target: PublicationTarget; proposed: PublicationTarget | null } | { type: "withhold" };

/** The kind of outcome that autonomy is set for; null for what changes neither labels nor state, such as the comment of a sweep. */
export function kindOf({ state, close }: PublicationTarget): OutcomeKind | null {
  if (close !== null) return "close";
  return state === "wontfix" ? "close" : state;
}

/**
 * E4: what autonomy lets through of a publication. Pure, and the only place that obeys it: the applier publishes nothing that
 * has not passed here, but for the rest of what had passed before (a repair). A proposal without a comment could not be
 * answered, so it is withheld.
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
