import type { SweptIssue } from "../swept/index.ts";
import { keyWithoutDetail, messageKey, type Verdict } from "../verdict/index.ts";

export type CommentChoice = { type: "say" } | { type: "silent"; why: string };

/**
 * Returns whether a verdict needs a comment (W4), with the reason if it does not. It needs none if an earlier comment says the
 * same. Pure.
 */
export function decideComment(verdict: Verdict, said: SweptIssue["said"]): CommentChoice {
  if (said !== null && isSaid(verdict, said.key)) return { type: "silent", why: "said-before" };
  switch (verdict.type) {
    case "fixed":
    case "not-reproduced":
    case "duplicate":
      return { type: "say" };
    case "not-a-bug":
      // A Triage Agent's opinion appears only in the report, so that a maintainer decides.
      return verdict.basis === "runs" ? { type: "say" } : { type: "silent", why: "opinion-only" };
    case "still-broken":
      return verdict.since === null && said === null
        ? { type: "silent", why: "nothing-new" }
        : { type: "say" };
    case "needs-reproduction":
      return verdict.hasRun ? { type: "say" } : { type: "silent", why: "nothing-was-run" };
    case "withheld":
      return { type: "silent", why: "withheld" };
  }
}

function isSaid(verdict: Verdict, saidKey: string): boolean {
  const key = messageKey(verdict);
  // The search for a version is limited in time, so a search without a result does not contradict an earlier one with a result.
  const saysLess = key === `${verdict.type}:` && saidKey.startsWith(key);
  return saysLess || saidKey === key || saidKey === keyWithoutDetail(verdict.type);
}
