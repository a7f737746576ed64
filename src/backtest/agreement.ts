import type { TrustFactOf } from "../trust/index.ts";
import type { MaintainerOutcome } from "./maintainer-outcome.ts";

/** Our outcomes in the classes of the maintainers', and two that they have no word for. */
export const ourOutcomes = ["worked-on", "asked", "declined", "duplicate", "undecided"] as const;
export type OurOutcome = (typeof ourOutcomes)[number];

const DECLINING = new Set(["bug-wontfix", "bug-wontfix-uncertain", "enhancement-wontfix"]);
const DUPLICATES = new Set(["possible-duplicate", "proven-duplicate"]);

/** An issue that is proposed to be declined, or called a likely duplicate, counts as that, whoever has the last word. Pure. */
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

/** null: what the maintainers did tells nothing. */
export function isAgreed(ours: OurOutcome, theirs: MaintainerOutcome): boolean | null {
  return theirs === "unknown" ? null : ours === theirs;
}

/** An issue that we would have closed although maintainers worked on it or asked about it. */
export function isFalseClose(close: string | null, theirs: MaintainerOutcome): boolean {
  return close !== null && (theirs === "worked-on" || theirs === "asked");
}
