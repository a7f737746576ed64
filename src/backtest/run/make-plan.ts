import { OperationalError } from "agent-tty/kit";
import type { GithubHistory, GithubReader, Issue, RepositoryName } from "../../github/index.ts";
import { goneReasonOf, isIssueGone, type LabelNames } from "../../triage/index.ts";
import type { BacktestErrorCode } from "../backtest-error.ts";
import {
  drawSample,
  issueAsOf,
  type OwnAccounts,
  type PastRepository,
  withoutOwnActs,
} from "../past/index.ts";
import { type MaintainerOutcome, maintainerVerdict } from "../maintainer-outcome.ts";
import type { BacktestPlan, PlannedItem } from "./plan.ts";

export interface PlanRequest {
  name: string;
  repo: RepositoryName;
  seed: number;
  size: number;
  /** Corrected outcomes, which are replayed with the issue as it was when we decided, unless the sample has the issue (E7). */
  cases: readonly { number: number; atMs: number; truth: MaintainerOutcome }[];
  labels: LabelNames;
  trustedAuthors: OwnAccounts["trustedAuthors"];
}

export interface PlanPorts {
  history: GithubHistory;
  reader: Pick<GithubReader, "viewer" | "issue" | "comments" | "timeline">;
  past: PastRepository;
  say: (line: string) => void;
}

/**
 * One request lists 100 issues, so the sample is drawn from the newest 9,900 closed issues, which are enough. GitHub refuses page
 * 100 without a cursor.
 */
const MAX_PAGES = 99;

/**
 * Returns the plan of a backtest: it draws the sample and reads the past of its issues, with about four requests for each issue
 * (E1). Rejects with BACKTEST_EMPTY.
 */
export async function makePlan(
  request: PlanRequest,
  ports: PlanPorts,
  signal: AbortSignal,
): Promise<BacktestPlan> {
  const { name, repo, seed, size, labels } = request;
  const corrected = new Map(request.cases.map(({ number, truth }) => [number, truth]));
  const closed = await listClosed(repo, ports, signal);
  const drawable = closed.map((issue) => ({
    number: issue.ref.number,
    issue,
    // A first guess from the listing alone. The truth is determined later from the whole history.
    stratum: maintainerVerdict({ issue, comments: [], timeline: [] }, labels).outcome,
  }));
  const population: Record<string, number> = {};
  for (const { stratum } of drawable) population[stratum] = (population[stratum] ?? 0) + 1;
  const drawn = drawSample(drawable, { size, seed }).map(({ issue }) => ({
    issue,
    atMs: Date.parse(issue.createdAt),
    origin: "sample" as const,
    // A backtest runs an issue once, so a corrected issue that is drawn is not a case as well: the correction is its truth.
    truth: corrected.get(issue.ref.number) ?? null,
  }));
  const wanted = [...drawn, ...(await readCases(request, drawn, ports, signal))];
  if (wanted.length === 0) throw nothingToDraw(repo);
  const plan: BacktestPlan = {
    schema: "afk-triage/backtest-plan@1",
    name,
    repo,
    seed,
    size,
    population,
    left: [],
    items: [],
  };
  const { id: viewerId } = await ports.reader.viewer(signal);
  const own = { viewerId, trustedAuthors: request.trustedAuthors };
  for (const one of wanted) {
    const item = await planItem(one, { labels, own }, ports, signal).catch((error: unknown) => {
      // It was deleted or moved after it was listed.
      if (!isIssueGone(error)) throw error;
      return goneReasonOf(error);
    });
    if (typeof item === "string") plan.left.push({ number: one.issue.ref.number, why: item });
    else plan.items.push(item);
    if (plan.items.length % 25 === 0)
      ports.say(`${plan.items.length} of ${wanted.length} issues are taken back`);
  }
  return plan;
}

interface Wanted {
  issue: Issue;
  atMs: number;
  origin: "sample" | "case";
  /** null: the truth is determined from the maintainers' acts. */
  truth: MaintainerOutcome | null;
}

async function listClosed(
  repo: RepositoryName,
  { history }: PlanPorts,
  signal: AbortSignal,
): Promise<Issue[]> {
  const found: Issue[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const issues = await history.closedIssues(repo, page, signal);
    found.push(...issues.filter(({ isPullRequest }) => !isPullRequest));
    if (issues.length < 100) break;
  }
  return found;
}

async function readCases(
  { repo, cases }: PlanRequest,
  drawn: readonly Wanted[],
  { reader }: PlanPorts,
  signal: AbortSignal,
): Promise<Wanted[]> {
  const known = new Set(drawn.map(({ issue }) => issue.ref.number));
  const found: Wanted[] = [];
  for (const { number, atMs, truth } of cases) {
    if (known.has(number)) continue;
    const lookup = await reader.issue({ repo, number }, signal);
    if (lookup.type === "found") found.push({ issue: lookup.issue, atMs, origin: "case", truth });
  }
  return found;
}

/** Returns the issue as it was, or why it is left out, as a stable code. */
async function planItem(
  { issue, atMs, origin, truth }: Wanted,
  { labels, own }: { labels: LabelNames; own: OwnAccounts },
  { history, reader, past }: PlanPorts,
  signal: AbortSignal,
): Promise<PlannedItem | string> {
  const { ref } = issue;
  const base = await past.commitBefore(atMs, signal);
  if (base === null) return "no-commit-before";
  const timeline = await reader.timeline(ref, signal);
  const comments = issue.commentCount > 0 ? await reader.comments(ref, signal) : [];
  const originalBody = await history.originalBody(ref, signal);
  const facts = withoutOwnActs({ issue, comments, timeline, originalBody }, own);
  const verdict = maintainerVerdict(facts, labels);
  const { fix } = verdict;
  const commit =
    fix === null
      ? null
      : "commit" in fix
        ? fix.commit
        : await history.mergeCommit({ repo: ref.repo, number: fix.pull }, signal);
  const isKnown = commit !== null && (await past.isKnown(commit, signal));
  return {
    number: ref.number,
    origin,
    atMs,
    base,
    fix: isKnown ? commit : null,
    truth: truth === null ? verdict : { ...verdict, outcome: truth, why: "corrected-by-maintainer" },
    past: issueAsOf(facts, atMs, labels),
  };
}

function nothingToDraw(repo: string): OperationalError<BacktestErrorCode> {
  return new OperationalError<BacktestErrorCode>({
    code: "BACKTEST_EMPTY",
    message: `draw a sample of the closed issues of ${repo}: it has none`,
    remedy: "Name another repository with --repo, or run batches at autonomy shadow first.",
  });
}
