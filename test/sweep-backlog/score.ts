import type { SweptIssue } from "../../src/sweep/index.ts";
import type { FiledIssue } from "./backlog.ts";

export interface PlayedIssue {
  number: number;
  filed: FiledIssue;
  /** null: the sweep reached no verdict on the issue. */
  swept: SweptIssue | null;
  /** Why the sweep skipped the issue; null: it did not. */
  skippedAs: string | null;
  comments: number;
  isOpen: boolean;
  /** The number of Triage Runs that ended with a verdict. */
  verdictRuns: number;
}

export interface Score {
  issues: number;
  /**
   * The numbers of reports that were skipped or withheld as vulnerabilities (S16). If the pair is a vulnerability, that is right
   * and the report is not judged, including misuse of such a pair (its script names or tries the attack). `false` reports are
   * judged, as wrong.
   */
  securityReports: { vulnerability: number; misuse: number; false: number };
  /** The number of vulnerability reports that were swept like any other (S16). */
  missedVulnerabilities: number;
  judged: number;
  correct: number;
  byTruth: Record<string, Record<string, number>>;
  /** The number of verdicts that name exactly the fixing release, of the bugs that have one. */
  exactRelease: { hit: number; of: number };
  exactSince: { hit: number; of: number };
  /** The number of proposed or performed closes on issues other than fixed bugs. */
  wrongCloses: number;
  proposedCloses: number;
  doubledComments: number;
  doneTwice: number;
  wrong: { issue: string; truth: string; verdict: string; why: string }[];
}

/** Compares a sweep's verdicts with the truth about each issue. Pure. */
export function scoreSweep(played: readonly PlayedIssue[]): Score {
  const security = played.filter(isLeftAlone);
  const judged = played.filter((one) => !isLeftAlone(one) || !one.filed.isVulnerability);
  const isMisuse = ({ filed }: PlayedIssue): boolean => filed.truth.type === "misuse";
  const vulnerabilities = security.filter(({ filed }) => filed.isVulnerability);
  const byTruth: Score["byTruth"] = {};
  for (const one of judged) {
    const verdict = one.swept?.verdict.type ?? `none (${one.skippedAs ?? "not done"})`;
    const row = (byTruth[one.filed.truth.type] ??= {});
    row[verdict] = (row[verdict] ?? 0) + 1;
  }
  const wrong = judged.filter((one) => !isCorrect(one));
  const proposed = played.filter(({ swept }) => swept?.said?.closeAfter != null);
  return {
    issues: played.length,
    securityReports: {
      vulnerability: vulnerabilities.filter((one) => !isMisuse(one)).length,
      misuse: vulnerabilities.filter(isMisuse).length,
      false: security.length - vulnerabilities.length,
    },
    missedVulnerabilities: judged.filter((one) => one.filed.isVulnerability && !isMisuse(one)).length,
    judged: judged.length,
    correct: judged.length - wrong.length,
    byTruth,
    exactRelease: countExact(judged, ({ filed, swept }) =>
      filed.truth.type === "fixed"
        ? [filed.truth.release, swept?.verdict.type === "fixed" ? swept.verdict.release : null]
        : null,
    ),
    exactSince: countExact(judged, ({ filed, swept }) =>
      filed.truth.type === "still-broken" && filed.truth.since !== null
        ? [filed.truth.since, swept?.verdict.type === "still-broken" ? swept.verdict.since : null]
        : null,
    ),
    wrongCloses: played.filter(isWrongClose).length,
    proposedCloses: proposed.length,
    doubledComments: played.filter(({ comments }) => comments > 1).length,
    doneTwice: played.filter(({ verdictRuns }) => verdictRuns > 1).length,
    wrong: wrong.map(({ number, filed, swept, skippedAs }) => ({
      issue: `${filed.product.repo}#${number} (${filed.pair})`,
      truth: JSON.stringify(filed.truth),
      verdict: swept === null ? `none (${skippedAs ?? "not done"})` : JSON.stringify(swept.verdict),
      why: swept?.evidence === null ? "" : JSON.stringify(swept?.evidence),
    })),
  };
}

/** Returns whether a report was skipped before a Coder workspace was created, or withheld after its runs. */
function isLeftAlone({ skippedAs, swept }: PlayedIssue): boolean {
  return skippedAs === "security-report" || swept?.verdict.type === "withheld";
}

function isCorrect({ filed, swept }: PlayedIssue): boolean {
  const { truth } = filed;
  const verdict = swept?.verdict;
  if (verdict === undefined) return false;
  switch (truth.type) {
    case "fixed":
      return verdict.type === "fixed" && verdict.release === truth.release;
    case "still-broken":
      return verdict.type === "still-broken";
    case "misuse":
      return !["fixed", "still-broken", "withheld"].includes(verdict.type);
  }
}

/**
 * Returns whether a close is wrong: the program proposes one only for a fixed verdict (W3), and the truth shows whether that
 * verdict is right.
 */
function isWrongClose({ filed, swept, isOpen }: PlayedIssue): boolean {
  const isProposed = swept?.said?.closeAfter != null || !isOpen;
  return isProposed && filed.truth.type !== "fixed";
}

function countExact(
  played: readonly PlayedIssue[],
  compared: (one: PlayedIssue) => [wanted: string, seen: string | null] | null,
): { hit: number; of: number } {
  const pairs = played.flatMap((one) => {
    const pair = compared(one);
    return pair === null ? [] : [pair];
  });
  return { hit: pairs.filter(([wanted, seen]) => wanted === seen).length, of: pairs.length };
}
