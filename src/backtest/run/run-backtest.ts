import pLimit from "p-limit";
import type { IssueRef, Repository } from "../../github/index.ts";
import type { Store } from "../../store/index.ts";
import { factsOfType, openTrustLedger, ourOutcome, type TrustFactOf } from "../../trust/index.ts";
import {
  type BatchPorts,
  type BatchSettings,
  type BatchSummary,
  type ReproductionLibrary,
  runBatch,
  runIdAt,
  verifyStored,
} from "../../triage/index.ts";
import { createPastGithub, type PastRepository } from "../past/index.ts";
import type { BacktestItem } from "../report/index.ts";
import type { BacktestPlan, PlannedItem } from "./plan.ts";

export interface BacktestRun {
  plan: BacktestPlan;
  repository: Repository;
  past: PastRepository;
  settings: BatchSettings;
  /** The ports of the backtest's own home. Their GitHub reader and writer are not used, but replaced by those of the past. */
  ports: BatchPorts;
}

/** The levels of autonomy of a backtest: everything is applied, but only to the in-memory GitHub. */
const ALL = {
  "needs-triage": "apply",
  "needs-info": "apply",
  "ready-for-agent": "apply",
  "ready-for-human": "apply",
  close: "apply",
} as const;

/**
 * Runs the unchanged batch over the issues of the plan that have no outcome yet, then the verified reproductions on the commits
 * that fixed them (E1). If it was stopped or killed, the same call continues: outcomes are in the store, and paid results in their
 * checkpoints.
 */
export async function runBacktest(run: BacktestRun, stop: AbortSignal): Promise<BatchSummary | null> {
  const { plan, repository, past, ports } = run;
  const decided = decidedOf(plan, ports.store);
  const left = plan.items.filter(({ number }) => !decided.has(number));
  const byNumber = new Map(plan.items.map((item) => [item.number, item]));
  const now = (): string => new Date(ports.clock.nowMs()).toISOString();
  const { reader, writer } = createPastGithub(
    repository,
    left.map((item) => item.past),
    now,
  );
  const spentUsd = plan.items.reduce(
    (sum, { number }) => sum + spentOn(number, plan, decided.get(number), ports.store).usd,
    0,
  );
  const settings = pastSettings(run, spentUsd);
  const bundle: BatchPorts["bundle"] = (_repository, _url, signal, ref) => {
    const item = itemOf(byNumber, ref);
    return past.bundleAt(item.base, item.atMs, signal);
  };
  const isSpent = settings.budget.batchUsd !== null && settings.budget.batchUsd <= 0;
  const summary =
    left.length === 0 || isSpent
      ? null
      : await runBatch(settings, { ...ports, reader, writer, bundle }, stop);
  await checkFixes(run, settings, stop);
  return summary;
}

function pastSettings({ plan, settings }: BacktestRun, spentUsd: number): BatchSettings {
  const { batchUsd } = settings.budget;
  return {
    ...settings,
    repos: [plan.repo as Repository["name"]],
    onlyIssues: [],
    dryRun: false,
    includeNeedsInfo: true,
    maxIssues: null,
    shard: null,
    autonomy: ALL,
    suggestsNatively: false,
    // A backtest offers no candidates, because the issue index contains today's issues.
    duplicates: { ...settings.duplicates, candidates: 0 },
    checkout: { ...settings.checkout, ref: null, strategy: "bundle" },
    // The prefix separates its locks from those of real batches.
    workspacePrefix: "backtest",
    budget: { ...settings.budget, batchUsd: batchUsd === null ? null : batchUsd - spentUsd },
  };
}

/**
 * Runs each stored reproduction on the commit of the known fix: a reproduction that fails before the fix must pass after it (E2). A
 * reproduction that was already checked on that commit is not run again.
 */
async function checkFixes(
  { plan, repository, past, ports }: BacktestRun,
  settings: BatchSettings,
  stop: AbortSignal,
): Promise<void> {
  const limit = pLimit(settings.parallelism);
  const check = async ({ number, fix }: PlannedItem): Promise<void> => {
    if (fix === null || stop.aborted) return;
    const stored = await ports.reproductions.read({ repo: repository.name, number });
    if (stored === null || stored.checks.some(({ commit }) => commit === fix)) return;
    const bundle: BatchPorts["bundle"] = (_repository, _url, signal) =>
      past.bundleAt(fix, ports.clock.nowMs(), signal);
    await verifyStored(stored, {
      runId: runIdAt(ports.clock.nowMs()),
      settings,
      repositories: new Map([[repository.name, repository]]),
      ports: { ...ports, bundle },
      stop,
    });
  };
  await Promise.all(plan.items.map((item) => limit(() => check(item))));
}

function itemOf(items: ReadonlyMap<number, PlannedItem>, { number }: IssueRef): PlannedItem {
  const item = items.get(number);
  if (item === undefined) throw new Error(`the backtest has no issue ${number}`);
  return item;
}

function decidedOf({ repo }: Pick<BacktestPlan, "repo">, store: Store): Map<number, TrustFactOf<"decided">> {
  const facts = factsOfType(openTrustLedger(store).of(repo), "decided");
  return new Map(facts.map((fact) => [fact.number ?? 0, fact]));
}

/** The number of an issue's newest Triage Runs whose costs are summed. */
const MAX_RUNS = 100;

/**
 * Returns the cost of the Triage Runs of an issue, in US dollars, and whether the newest one failed and left no outcome. Runs that
 * failed cost money, too, and each part of a backtest runs their issues again.
 */
function spentOn(
  number: number,
  { repo }: Pick<BacktestPlan, "repo">,
  decided: TrustFactOf<"decided"> | undefined,
  store: Pick<Store, "runsOfIssue">,
): { usd: number; hasFailed: boolean } {
  const runs = store.runsOfIssue(repo, number, MAX_RUNS);
  const others = runs.filter(({ runId }) => runId !== decided?.runId);
  const usd = others.reduce((sum, { result }) => sum + (result?.usage.usd ?? 0), decided?.detail.usd ?? 0);
  const last = runs[0]?.progress;
  return {
    usd,
    hasFailed: decided === undefined && last?.phase === "settled" && last.end.status === "failed",
  };
}

/** Returns every issue of the plan with its outcome, read from the backtest's home. */
export async function readItems(
  plan: BacktestPlan,
  { store, reproductions }: { store: Store; reproductions: ReproductionLibrary },
): Promise<BacktestItem[]> {
  const decided = decidedOf(plan, store);
  return Promise.all(
    plan.items.map(async ({ number, origin, truth, fix, past }): Promise<BacktestItem> => {
      const fact = decided.get(number);
      const detail = fact?.detail ?? null;
      const ref: IssueRef = { repo: plan.repo as IssueRef["repo"], number };
      const stored = await reproductions.read(ref).catch(() => null);
      const after = stored?.checks.find(({ commit }) => commit !== null && commit === fix) ?? null;
      return {
        number,
        origin,
        truth,
        title: past.issue.title,
        url: past.issue.url,
        gaps: past.gaps,
        ours:
          detail === null
            ? null
            : {
                outcome: ourOutcome(detail),
                state: detail.state,
                close: detail.close,
                confidence: detail.confidence,
                evidence: detail.evidence,
                usd: detail.usd,
                ms: detail.ms,
              },
        ...spentOn(number, plan, fact, store),
        fix:
          after === null
            ? null
            : {
                failsBefore: stored?.checks[0]?.verdict === "still-broken",
                passesAfter: after.verdict === "fixed",
              },
      };
    }),
  );
}
