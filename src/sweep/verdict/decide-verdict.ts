import type { Range, RangeEnd } from "../../evidence/index.ts";
import { redactSecrets, truncateWithNotice } from "../../github/index.ts";
import type { Outcome, Verification } from "../../triage/index.ts";
import { type Verdict, WHY_MAX_CHARACTERS } from "./verdict.ts";

export interface VerdictFacts {
  /** The number. */
  number: number;
  verification: Verification;
  /** The proposal of a Triage Agent; null: none was asked, or it left nothing valid. */
  outcome: Outcome | null;
  /** Why there is nothing to run, or what the observed runs of it showed; a sentence for people. */
  tried: string;
}

/** W2: the verdict, from what the parent saw itself; an opinion of a Triage Agent counts only where nothing was run. Pure, total. */
export function decideVerdict(facts: VerdictFacts): Verdict {
  const verdict = decided(facts);
  if (!("why" in verdict)) return verdict;
  // Redacted before it is cut: what stands for a secret may be longer than the secret.
  return { ...verdict, why: truncateWithNotice(redactSecrets(verdict.why), WHY_MAX_CHARACTERS) };
}

function decided({ number, verification, outcome, tried }: VerdictFacts): Verdict {
  switch (verification.type) {
    case "reproduced": {
      const { commit, range, compared } = verification.insight;
      // D5, D6: behaviour shows one cause, and the older issue is the canonical one.
      const older = compared.find((one) => one.cause.type === "proven" && one.number < number);
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

const ONE_CAUSE = "The reproductions of both were run: one change of the code decides both, for one cause.";

function fixedIn({ fixed }: Extract<Verification, { type: "already-fixed" }>): Verdict {
  const { firstFixed } = fixed.range;
  const isExact = firstFixed.type === "exact";
  const at = atOf(firstFixed);
  return {
    type: "fixed",
    before: fixed.version,
    runs: fixed.runs,
    release: at?.version ?? null,
    // The end of an interval is no commit that fixed anything; it may be that of the default branch.
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

/** Only what is exact: a guess would be repeated in public. */
function sinceOf(range: Range | null): string | null {
  if (range?.firstBad.type !== "exact") return null;
  const { version, commit } = range.firstBad.at;
  return version ?? commit;
}

/** V12: not a bug only at high confidence and with an established fact; a wish is no bug. */
function opinion(outcome: Outcome): Verdict {
  const isFirm = outcome.confidence === "high" && outcome.established.length > 0;
  if (outcome.category === "bug" && outcome.outcome === "wontfix" && isFirm)
    return { type: "not-a-bug", why: outcome.wontfix?.reason ?? outcome.summary, basis: "triage-agent" };
  if (outcome.category === "enhancement" && outcome.confidence === "high")
    return { type: "not-a-bug", why: outcome.summary, basis: "triage-agent" };
  return { type: "needs-reproduction", why: outcome.summary, hasRun: false };
}
