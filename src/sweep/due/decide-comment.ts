import type { SweptIssue } from "../swept/index.ts";
import { keyWithoutDetail, messageKey, type Verdict } from "../verdict/index.ts";

export type CommentChoice = { type: "say" } | { type: "silent"; why: string };

/** W4: whether a verdict is worth a comment. An earlier comment that says the same is enough. Pure. */
export function decideComment(verdict: Verdict, said: SweptIssue["said"]): CommentChoice {
  if (said?.key === messageKey(verdict) || said?.key === keyWithoutDetail(verdict.type))
    return { type: "silent", why: "said-before" };
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
