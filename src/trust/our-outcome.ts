import type { TrustFactOf } from "./trust-fact.ts";

/** Our outcomes, in the classes of the maintainers' outcomes as far as possible. */
export const ourOutcomes = ["worked-on", "asked", "declined", "duplicate", "undecided"] as const;
export type OurOutcome = (typeof ourOutcomes)[number];

const DECLINING = new Set(["bug-wontfix", "bug-wontfix-uncertain", "enhancement-wontfix"]);
const DUPLICATES = new Set(["possible-duplicate", "proven-duplicate"]);

/**
 * Returns the class of our outcome. An issue that we propose to decline, or call a likely duplicate, counts as declined or
 * duplicate, whatever its state role is. Pure.
 */
export function ourOutcome({ state, close, policy }: TrustFactOf<"decided">["detail"]): OurOutcome {
  if (close === "duplicate" || policy.some((code) => DUPLICATES.has(code))) return "duplicate";
  if (close !== null || policy.some((code) => DECLINING.has(code))) return "declined";
  switch (state) {
    case "ready-for-agent":
    case "ready-for-human":
      return "worked-on";
    case "needs-info":
      return "asked";
    default:
      return "undecided";
  }
}
