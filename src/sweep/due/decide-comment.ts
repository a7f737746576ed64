import type { SweptIssue } from "../swept/index.ts";
import { keyWithoutDetail, messageKey, type Verdict } from "../verdict/index.ts";

export type CommentChoice = { type: "say" } | { type: "silent"; why: string };

/** W4: whether a verdict is worth a comment. An earlier comment that says the same is enough. Pure. */
export function decideComment(verdict: Verdict, said: SweptIssue["said"]): CommentChoice {
  if (said !== null && isSaid(verdict, said.key)) return { type: "silent", why: "said-before" };
  switch (verdict.type) {
    case "fixed":
    case "not-reproduced":
    case "duplicate":
      return { type: "say" };
    case "not-a-bug":
      // The opinion of a Triage Agent is for the report: a maintainer decides.
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
  // The search for a version is bounded by time: one that found none says less than one that did.
  const saysLess = key === `${verdict.type}:` && saidKey.startsWith(key);
  return saysLess || saidKey === key || saidKey === keyWithoutDetail(verdict.type);
}
