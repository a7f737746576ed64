import { issueKey, type IssueRef, plainText, type RepositoryName, textAsLine } from "../../github/index.ts";

/** A stored reproduction's last verdict, from the parent's own runs. */
export interface StoredVerdict {
  ref: IssueRef;
  verdict: "still-broken" | "flaky" | "fixed";
  /** The time of the check, as an ISO date and time, and the commit that was checked (null: git could not determine it). */
  checkedAt: string;
  commit: string | null;
  matchedRuns: number;
  runs: number;
  /** Whether control runs were made (V11). Verdicts without control runs do not block a release. */
  isGraded: boolean;
}

/** A bug that the parent has seen in the product and whose issue is open. */
export interface KnownRegression extends StoredVerdict {
  verdict: "still-broken";
  /** The issue's current title: untrusted text, without control characters. */
  title: string;
  url: string;
}

export interface RegressionPorts {
  /** Returns the verdict of every stored reproduction. Rejects if one cannot be read, because the gate must stay closed then. */
  verdicts: (repo: RepositoryName) => Promise<readonly StoredVerdict[]>;
  /** Returns the issue's title and URL; null if the issue is gone or closed. */
  openIssue: (ref: IssueRef) => Promise<{ title: string; url: string } | null>;
}

/**
 * Returns the known regressions by issue number. It requests an issue only if graded runs showed that its reproduction was still
 * broken the last time.
 */
export async function knownRegressions(
  repo: RepositoryName,
  ports: RegressionPorts,
): Promise<KnownRegression[]> {
  const found: KnownRegression[] = [];
  for (const stored of await ports.verdicts(repo)) {
    if (stored.verdict !== "still-broken" || !stored.isGraded) continue;
    const issue = await ports.openIssue(stored.ref);
    if (issue !== null)
      found.push({ ...stored, verdict: "still-broken", url: issue.url, title: plainText(issue.title) });
  }
  return found.toSorted((a, b) => a.ref.number - b.ref.number);
}

/** Returns the regressions as Markdown; "" if there are none. */
export function regressionLines(regressions: readonly KnownRegression[]): string {
  if (regressions.length === 0) return "";
  const lines = regressions.map(({ ref, title, checkedAt, commit, matchedRuns, runs }) => {
    const at = commit === null ? "" : ` at ${commit.slice(0, 8)}`;
    return `- #${ref.number}: ${textAsLine(title)} (reproduced ${matchedRuns}/${runs} on ${checkedAt.slice(0, 10)}${at})`;
  });
  return ["### Known confirmed regressions", "", ...lines].join("\n");
}

/** Returns the issues of the regressions as `owner/name#number`. */
export function regressionKeys(regressions: readonly KnownRegression[]): string[] {
  return regressions.map(({ ref }) => issueKey(ref));
}
