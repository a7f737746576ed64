import { announcedClose } from "../due/index.ts";
import type { SweptIssue } from "../swept/index.ts";
import type { Verdict, VerdictType } from "../verdict/index.ts";

/** One issue of a report. Its texts are untrusted data. */
export interface ReportRow {
  repo: string;
  number: number;
  title: string;
  url: string;
  verdict: VerdictType;
  /** The release with the fix, the first bad version, or the reason of the verdict; empty: nothing is known. */
  detail: string;
  labels: readonly string[];
  /** The number of people who reported or commented. */
  people: number;
  reactions: number;
  createdAt: string;
  /** The grade of the runs; empty: the verdict is not based on runs. */
  evidence: string;
  commentUrl: string;
  /** The time at which a proposed close is due; empty: there is none. */
  closeAfter: string;
  close: SweptIssue["close"]["type"];
  /** Whether it was open when a sweep last listed the open issues. */
  isOpen: boolean;
}

/** The report of all sweeps of a home, `afk-triage/sweep-report@1`. */
export interface SweepReport {
  schema: "afk-triage/sweep-report@1";
  madeAt: string;
  repos: readonly string[];
  verdicts: Partial<Record<VerdictType, number>>;
  /** Versions with the number of open reports that they fix and of open bugs that they introduced, the largest sum first. */
  byVersion: readonly { version: string; fixed: number; brokenSince: number }[];
  /** Counts of open issues by label; issues without a label are not included. */
  byArea: readonly { label: string; issues: number; fixed: number; stillBroken: number }[];
  /**
   * Open issues whose script failed before the fix and passes after it, and to whose close no person objected: the oldest first.
   */
  toClose: readonly ReportRow[];
  /**
   * Open issues whose bug still exists. Those with the largest sum of twice the `people` plus the `reactions` come first, then the
   * oldest.
   */
  worst: readonly ReportRow[];
  /** The lengths of the four lists above before they were cut. */
  totals: Readonly<Record<"byVersion" | "byArea" | "toClose" | "worst", number>>;
  issues: readonly ReportRow[];
}

/** The maximum length of the short lists; the long list has all rows. */
const SHORT = 50;

/** Returns the summary of all verdicts of a home for a maintainer. Vulnerability reports are excluded. Pure. */
export function sweepReport(swept: readonly SweptIssue[], nowMs: number): SweepReport {
  const told = swept.filter(({ verdict }) => verdict.type !== "withheld");
  const issues = told.map(rowOf).toSorted((a, b) => a.repo.localeCompare(b.repo) || a.number - b.number);
  const verdicts: SweepReport["verdicts"] = {};
  for (const { verdict } of issues) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const open = issues.filter(({ isOpen }) => isOpen);
  const weight = ({ people, reactions }: ReportRow): number => 2 * people + reactions;
  const byVersion = versionsOf(told.filter(({ isOpen }) => isOpen));
  const byArea = areasOf(open);
  const toClose = open
    .filter(({ verdict, close }) => verdict === "fixed" && close === "open")
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  const worst = open
    .filter(({ verdict }) => verdict === "still-broken")
    .toSorted((a, b) => weight(b) - weight(a) || a.createdAt.localeCompare(b.createdAt));
  return {
    schema: "afk-triage/sweep-report@1",
    madeAt: new Date(nowMs).toISOString(),
    repos: [...new Set(issues.map(({ repo }) => repo))],
    verdicts,
    byVersion: byVersion.slice(0, SHORT),
    byArea: byArea.slice(0, SHORT),
    toClose: toClose.slice(0, SHORT),
    worst: worst.slice(0, SHORT),
    totals: {
      byVersion: byVersion.length,
      byArea: byArea.length,
      toClose: toClose.length,
      worst: worst.length,
    },
    issues,
  };
}

function rowOf(swept: SweptIssue): ReportRow {
  const { repo, number, title, url, verdict, labels, people, reactions, createdAt } = swept;
  const { evidence, said, close, isOpen } = swept;
  return {
    repo,
    number,
    title,
    url,
    verdict: verdict.type,
    detail: detailOf(swept),
    labels,
    people,
    reactions,
    createdAt,
    evidence:
      evidence === null ? "" : `${evidence.verdict}, ${evidence.runs} runs, ${evidence.controls} controls`,
    commentUrl: said?.url ?? "",
    closeAfter: announcedClose(swept) ?? "",
    close: close.type,
    isOpen,
  };
}

function detailOf({ verdict }: SweptIssue): string {
  switch (verdict.type) {
    case "fixed":
      return fixedIn(verdict);
    case "still-broken":
      return verdict.since === null ? "" : `since ${verdict.since.slice(0, 40)}`;
    case "duplicate":
      return `of #${verdict.of}`;
    case "not-reproduced":
    case "needs-reproduction":
    case "not-a-bug":
      return verdict.why.slice(0, 300);
    case "withheld":
      return "";
  }
}

function fixedIn({ release, commit, isExact }: Extract<Verdict, { type: "fixed" }>): string {
  if (isExact) return release ?? commit?.slice(0, 12) ?? "not released";
  return release === null ? "release not known" : `${release} or earlier`;
}

function versionsOf(swept: readonly SweptIssue[]): SweepReport["byVersion"] {
  const counts = new Map<string, { version: string; fixed: number; brokenSince: number }>();
  const of = (version: string): { fixed: number; brokenSince: number } => {
    const known = counts.get(version) ?? { version, fixed: 0, brokenSince: 0 };
    counts.set(version, known);
    return known;
  };
  for (const { verdict } of swept) {
    if (verdict.type === "fixed" && verdict.release !== null) of(verdict.release).fixed += 1;
    if (verdict.type === "still-broken" && verdict.since !== null) of(verdict.since).brokenSince += 1;
  }
  const total = (one: { fixed: number; brokenSince: number }): number => one.fixed + one.brokenSince;
  return [...counts.values()].toSorted((a, b) => total(b) - total(a) || a.version.localeCompare(b.version));
}

function areasOf(issues: readonly ReportRow[]): SweepReport["byArea"] {
  const labels = [...new Set(issues.flatMap((row) => row.labels))];
  const counted = labels.map((label) => {
    const those = issues.filter((row) => row.labels.includes(label));
    const of = (verdict: VerdictType): number => those.filter((row) => row.verdict === verdict).length;
    return { label, issues: those.length, fixed: of("fixed"), stillBroken: of("still-broken") };
  });
  return counted.toSorted((a, b) => b.issues - a.issues || a.label.localeCompare(b.label));
}
