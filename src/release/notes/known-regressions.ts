import { issueKey, type IssueRef, plainText, type RepositoryName, textAsLine } from "../../github/index.ts";

/** A stored reproduction's last verdict, as the parent's own runs gave it. */
export interface StoredVerdict {
  ref: IssueRef;
  verdict: "still-broken" | "flaky" | "fixed";
  /** When, as an ISO date and time, and of which commit (null: git could not tell). */
  checkedAt: string;
  commit: string | null;
  matchedRuns: number;
  runs: number;
  /** V11: false for runs without control runs, which hold no release closed. */
  isGraded: boolean;
}

/** A bug that the parent has seen in the product and nobody has closed. */
export interface KnownRegression extends StoredVerdict {
  verdict: "still-broken";
  /** The issue's current title: other people's text, without control characters. */
  title: string;
  url: string;
}

export interface RegressionPorts {
  /** Checks every stored reproduction. Rejects when one cannot be read: the gate must stay closed then. */
  verdicts: (repo: RepositoryName) => Promise<readonly StoredVerdict[]>;
  /** null: the issue is gone or closed. */
  openIssue: (ref: IssueRef) => Promise<{ title: string; url: string } | null>;
}

/** By number. An issue is asked for only where its reproduction was still broken the last time, by graded runs. */
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

/** Markdown, "" without any. */
export function regressionLines(regressions: readonly KnownRegression[]): string {
  if (regressions.length === 0) return "";
  const lines = regressions.map(({ ref, title, checkedAt, commit, matchedRuns, runs }) => {
    const at = commit === null ? "" : ` at ${commit.slice(0, 8)}`;
    return `- #${ref.number}: ${textAsLine(title)} (reproduced ${matchedRuns}/${runs} on ${checkedAt.slice(0, 10)}${at})`;
  });
  return ["### Known confirmed regressions", "", ...lines].join("\n");
}

/** The issues of the regressions as `owner/name#number`. */
export function regressionKeys(regressions: readonly KnownRegression[]): string[] {
  return regressions.map(({ ref }) => issueKey(ref));
}
