import type { Range, RangeEnd } from "../../evidence/index.ts";
import { redactSecrets, truncateWithNotice } from "../../github/index.ts";
import type { Outcome, Verification } from "../../triage/index.ts";
import { type Verdict, WHY_MAX_CHARACTERS } from "./verdict.ts";

export interface VerdictFacts {
  /** The number. */
  number: number;
  verification: Verification;
  /** The outcome of a Triage Agent; null: none worked on the issue, or it left no valid one. */
  outcome: Outcome | null;
  /** A sentence for people: why there is nothing to run, or what the observed runs showed. */
  tried: string;
}

/**
 * Returns the verdict (W2), based on the parent's own runs. A Triage Agent's opinion counts only if nothing was run. Pure and
 * total.
 */
export function decideVerdict(facts: VerdictFacts): Verdict {
  const verdict = decided(facts);
  if (!("why" in verdict)) return verdict;
  // The text is redacted before it is cut, because the replacement of a secret may be longer than the secret.
  return { ...verdict, why: truncateWithNotice(redactSecrets(verdict.why), WHY_MAX_CHARACTERS) };
}

function decided({ number, verification, outcome, tried }: VerdictFacts): Verdict {
  switch (verification.type) {
    case "reproduced": {
      const { commit, range, compared } = verification.insight;
      // The runs show that both issues have one cause (D5), and the older issue is the canonical one (D6). A closed issue cannot be
      // the canonical one of a bug that still exists.
      const older = compared.find(
        (one) => one.cause.type === "proven" && one.number < number && one.state === "open",
      );
      if (older !== undefined) return { type: "duplicate", of: older.number, why: ONE_CAUSE };
      return { type: "still-broken", commit, since: sinceOf(range), flaky: null };
    }
    case "flaky": {
      const { insight, matchedRuns, runs } = verification;
      const flaky = { matched: matchedRuns, runs: runs.length };
      return { type: "still-broken", commit: insight.commit, since: sinceOf(insight.range), flaky };
    }
    case "already-fixed":
      return fixedIn(verification);
    case "not-reproduced":
      return { type: "not-reproduced", why: tried, runs: verification.runs.length };
    case "unproven":
      return verification.grade.verdict === "wrong-call"
        ? { type: "not-a-bug", why: verification.reason, basis: "runs" }
        : { type: "needs-reproduction", why: verification.reason, hasRun: true };
    case "impossible":
      return { type: "needs-reproduction", why: verification.reason, hasRun: false };
    case "not-attempted":
      return outcome === null ? { type: "needs-reproduction", why: tried, hasRun: false } : opinion(outcome);
  }
}

const ONE_CAUSE =
  "The reproductions of both issues were run: the same code change fixes both, for the same cause.";

function fixedIn({ fixed }: Extract<Verification, { type: "already-fixed" }>): Verdict {
  const { firstFixed } = fixed.range;
  const isExact = firstFixed.type === "exact";
  const at = atOf(firstFixed);
  return {
    type: "fixed",
    before: fixed.version,
    runs: fixed.runs,
    release: at?.version ?? null,
    // The end of an interval is not a fixing commit; it may be the default branch's commit.
    commit: isExact ? (at?.commit ?? null) : null,
    isExact,
  };
}

function atOf(end: RangeEnd): { version: string | null; commit: string | null } | null {
  switch (end.type) {
    case "exact":
    case "initial":
      return end.at;
    case "interval":
      return end.upTo;
    case "never":
    case "unknown":
      return null;
  }
}

/** Returns the first bad version or commit only if it is exact, because a guess would be published. */
function sinceOf(range: Range | null): string | null {
  if (range?.firstBad.type !== "exact") return null;
  const { version, commit } = range.firstBad.at;
  return version ?? commit;
}

/**
 * Returns a verdict from a Triage Agent's opinion (V12): "not a bug" needs high confidence and, for a bug report, an established
 * fact. An enhancement is not a bug.
 */
function opinion(outcome: Outcome): Verdict {
  const isFirm = outcome.confidence === "high" && outcome.established.length > 0;
  if (outcome.category === "bug" && outcome.outcome === "wontfix" && isFirm)
    return { type: "not-a-bug", why: outcome.wontfix?.reason ?? outcome.summary, basis: "triage-agent" };
  if (outcome.category === "enhancement" && outcome.confidence === "high")
    return { type: "not-a-bug", why: outcome.summary, basis: "triage-agent" };
  return { type: "needs-reproduction", why: outcome.summary, hasRun: false };
}
