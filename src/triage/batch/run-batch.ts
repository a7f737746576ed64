import { messageOf, OperationalError } from "agent-tty/kit";
import pLimit from "p-limit";
import { redactSecrets, type RepositoryName } from "../../github/index.ts";
import { auditLogPath, createAuditLog } from "../audit/index.ts";
import { feedIndexes } from "./duplicates/index.ts";
import { createRunService, openRun, type RunMode, serveRuns } from "./owned-runs.ts";
import { reapLeaked } from "./recovery/index.ts";
import { createRecorder } from "./record-runs.ts";
import type { RunService } from "../../runs/index.ts";
import type { BatchObserver } from "./batch-event.ts";
import { namingIssue } from "./naming-issue.ts";
import { createInspections, haltReason, keptEarlier } from "./lock/index.ts";
import type { BatchContext, BatchPorts } from "./batch-context.ts";
import { readRepositories } from "./read-repositories.ts";
import { runIdAt } from "./run-id.ts";
import { describeFailure, StopRequested } from "./failures.ts";
import type { Candidate } from "./candidate.ts";
import type { Selection } from "./select-issues.ts";
import type { BatchSettings } from "./settings.ts";
import type { BatchWork, WorkContext } from "./batch-work.ts";
import { openBatchTrust } from "./batch-trust.ts";
import { acceptedNotes, publicationTarget } from "../publication/index.ts";
import { observeOutcomes, settleAutonomy, suggestNatively } from "./trust/index.ts";
import { triageWork } from "./triage-work.ts";
import {
  type BatchSummary,
  countStatuses,
  emptySummary,
  type IssueSummary,
  type KeptSummary,
} from "./summary.ts";
import { triageIssue } from "./run/index.ts";
import { addUsage, noUsage } from "../triage-agent.ts";
import { tokensOf } from "../triage-agents/index.ts";

/**
 * Runs one Triage Batch: reaps, selects, then does at most `parallelism` Triage Runs at a time (A27). `work` is the task that it
 * performs on the issues. Rejects only when nothing could be started (GitHub refuses the credential, the repository is missing or closed);
 * after that, every issue has its line in the summary. `stop` aborts with a `StopRequested`.
 */
export async function runBatch(
  settings: BatchSettings,
  given: BatchPorts,
  stop: AbortSignal,
  mode: RunMode = "new",
  work: BatchWork = triageWork,
): Promise<BatchSummary> {
  const ports = { ...given, observe: tolerant(withoutSecrets(given)) };
  const startedAtMs = ports.clock.nowMs();
  using deadline = batchDeadline(settings, ports, stop);
  const service = createRunService(ports);
  const observe = settings.dryRun ? ports.observe : recorded(ports, service, deadline.signal);
  const runId = settings.dryRun ? runIdAt(startedAtMs) : takeRunId(settings, ports, startedAtMs, work);
  const summaryOf = (issues: IssueSummary[], stranded: BatchSummary["stranded"]): BatchSummary => ({
    schema: "afk-triage/summary@1",
    runId,
    repos: settings.repos,
    startedAt: new Date(startedAtMs).toISOString(),
    finishedAt: new Date(ports.clock.nowMs()).toISOString(),
    totals: countStatuses(issues),
    issues,
    stranded: [...stranded, ...strandedRuns(issues)],
    kept: keptRuns(issues),
  });
  const surroundings = await unlessStopped({ stop: deadline.passed }, null, async () => ({
    viewer: await ports.reader.viewer(deadline.signal),
    repositories: await readRepositories(settings.repos, ports, deadline.signal),
  }));
  if (surroundings === null) {
    const summary = summaryOf([], []);
    if (!settings.dryRun) await finishRecord(summary, { service, ports: { ...ports, observe } });
    return summary;
  }
  await using inspections = createInspections(settings, { ...ports, observe });
  const context: WorkContext = {
    ...surroundings,
    inspections,
    runId,
    trust: openBatchTrust(settings, ports),
    audit: createAuditLog(auditLogPath(ports.runsDirectory, runId), ports.clock),
    settings,
    work,
    ports: { ...ports, observe },
    service,
    stop: deadline.signal,
  };
  await using _control = settings.dryRun ? null : await serveRuns(context);
  const { title } = work;
  const provider = ports.provider.kind;
  observe({ type: "batch-started", title, runId, repos: settings.repos, provider });
  const stranded = settings.dryRun ? [] : await unlessStopped(context, [], () => reapFirst(context));
  const issues = (await workOnSelected(mode, context)).toSorted(
    (a, b) => a.repo.localeCompare(b.repo) || a.number - b.number,
  );
  const summary = summaryOf(issues, stranded);
  if (!settings.dryRun) await finishRecord(summary, context);
  return summary;
}

/**
 * Selects the issues, works on them, and returns the summaries of all that were read, in no order. Does not wait for the work
 * itself, because a waiting function keeps its variables: here the texts of every issue until the last one is done.
 */
async function workOnSelected(mode: RunMode, context: WorkContext): Promise<IssueSummary[]> {
  const { candidates, skipped } = await selectAndLearn(context);
  const worked = context.settings.dryRun
    ? Promise.resolve(
        candidates.map(({ issue, eligibility }) => emptySummary(issue.ref, "skipped", eligibility.reason)),
      )
    : triageAll(candidates, mode, context);
  return withSkipped(skipped, worked);
}

async function selectAndLearn(context: WorkContext): Promise<Selection> {
  const { settings, work, ports } = context;
  const nothing: Selection = { candidates: [], skipped: [] };
  const selection = await unlessStopped(context, nothing, () => work.select(context));
  if (!settings.dryRun && work.feedsIssueIndex)
    await unlessStopped(context, undefined, () => feedIndexes(reposOf(selection), context));
  if (!settings.dryRun) await unlessStopped(context, undefined, () => learn(selection, context));
  const { candidates, skipped } = selection;
  ports.observe({ type: "selected", eligible: candidates.length, skipped: skipped.length });
  return selection;
}

/**
 * Observes what people did with earlier outcomes, and settles the autonomy that follows. Leaves issues that this batch triages to
 * a later batch, because their requests are limited (P13). A failure only causes a warning and delays no issue.
 */
async function learn({ candidates, skipped }: Selection, context: BatchContext): Promise<void> {
  for (const { ref, proposal } of skipped) {
    if (proposal === undefined) continue;
    const standing = { ref, runId: proposal.marker.run, target: publicationTarget(acceptedNotes(proposal)) };
    // An earlier parent may have been killed after it had published only the comment.
    await suggestNatively({ ...standing, confidence: null }, context, context.stop);
  }
  for (const repo of context.settings.repos) {
    const busy = candidates
      .filter(({ issue }) => issue.ref.repo === repo)
      .map(({ issue }) => issue.ref.number);
    try {
      await observeOutcomes(repo, new Set(busy), context);
      await settleAutonomy(repo, context);
    } catch (error) {
      context.stop.throwIfAborted();
      context.ports.observe({
        type: "warning",
        message: `people's reactions to earlier outcomes in ${repo} were not read; the next batch tries again: ${messageOf(error)}`,
      });
    }
  }
}

/** Returns the repositories with an issue to triage; the other repositories need no likely duplicates. */
function reposOf({ candidates }: Selection): RepositoryName[] {
  return [...new Set(candidates.map(({ issue }) => issue.ref.repo))];
}

/** Returns an observer that ignores the errors of `observe`, because watching a batch must not change it (C7). */
function tolerant(observe: BatchObserver): BatchObserver {
  return (event) => {
    try {
      observe(event);
    } catch {
      // There is no other place to report this.
    }
  };
}

/**
 * Returns an observer that receives titles and messages without secrets (S8, S18). They go to logs, which are kept and, on
 * Actions, often public.
 */
function withoutSecrets({ observe, canaries }: BatchPorts): BatchObserver {
  const clean = (text: string): string => canaries.withhold(redactSecrets(text));
  return (event) => {
    if (event.type === "warning") observe({ ...event, message: clean(event.message) });
    else if ("title" in event) observe({ ...event, title: clean(event.title) });
    else observe(event);
  };
}

/** Passes every event to the runs' owners first. If an owner fails, the record is lost, but no Triage Run or deletion fails. */
function recorded(ports: BatchPorts, service: RunService, stop: AbortSignal): BatchObserver {
  const { observe } = ports;
  const record = createRecorder(service, ports, stop);
  return (event) => {
    try {
      record(event);
    } catch (error) {
      observe({ type: "warning", message: `a fact of this batch was not stored: ${messageOf(error)}` });
    }
    observe(event);
  };
}

/**
 * How often the summary is written: another process may keep the store locked for a while, and no later change would update the
 * record.
 */
const RECORD_ATTEMPTS = 10;
const RECORD_PAUSE_MS = 1_000;

async function finishRecord(
  summary: BatchSummary,
  { service, ports }: Pick<BatchContext, "service" | "ports">,
): Promise<void> {
  const { store, observe, clock } = ports;
  for (let attempt = 1; ; attempt += 1) {
    try {
      service.saveAgain();
      store.finishBatch(summary.runId, summary);
      return;
    } catch (error) {
      const isLocked = error instanceof OperationalError && error.details["isLocked"] === true;
      if (!isLocked || attempt >= RECORD_ATTEMPTS) {
        observe({ type: "warning", message: `the summary was not stored: ${messageOf(error)}` });
        return;
      }
    }
    await clock.sleep(RECORD_PAUSE_MS);
  }
}

/** How far ahead of the clock a run id may be. */
const MAX_AHEAD_MS = 3_600_000;

/** Takes a run id. Two parents of one home may begin in the same second; the later one takes the next free second. */
function takeRunId(
  settings: BatchSettings,
  ports: BatchPorts,
  startedAtMs: number,
  { runIdSuffix }: BatchWork,
): string {
  for (let offsetMs = 0; offsetMs < MAX_AHEAD_MS; offsetMs += 1_000) {
    const runId = `${runIdAt(startedAtMs + offsetMs)}${runIdSuffix}`;
    const { parent, provider } = ports;
    const batch = { runId, parent, provider: provider.kind, repos: settings.repos, startedAtMs };
    if (ports.store.recordBatch(batch).type === "recorded") return runId;
  }
  throw new Error("other batches of this home have taken every run id of the next hour");
}

/**
 * Returns `otherwise` if a stop ends the work. A stop before the first Triage Run still ends in a summary; a signal before the
 * first request to GitHub does not.
 */
async function unlessStopped<T>(
  context: Pick<BatchContext, "stop">,
  otherwise: T,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (context.stop.aborted) return otherwise;
    throw error;
  }
}

async function triageAll(
  candidates: readonly Candidate[],
  mode: RunMode,
  context: WorkContext,
): Promise<IssueSummary[]> {
  const limit = pLimit(context.settings.parallelism);
  let spent = noUsage;
  const ended: IssueSummary["error"][] = [];
  let halted: string | null = null;
  const { batchUsd, batchTokens } = context.settings.budget;
  const isSpent = (): boolean =>
    spent.usd >= (batchUsd ?? Number.POSITIVE_INFINITY) ||
    tokensOf(spent) >= (batchTokens ?? Number.POSITIVE_INFINITY);
  // All runs are opened before the first one begins, so that a run that waits for its turn can be stopped, too.
  const runs = candidates.map((candidate) => ({ candidate, owner: openRun(candidate, mode, context) }));
  return Promise.all(
    runs.map(({ candidate, owner }) =>
      limit(async () => {
        const { ref } = candidate.issue;
        if (owner === null) return emptySummary(ref, "skipped", "not-restorable");
        if (isSpent()) return emptySummary(ref, "skipped", "batch-budget-spent");
        if (halted !== null) return emptySummary(ref, "skipped", halted);
        const summary = await context.ports.withinIssue(ref, () =>
          triageIssue(candidate, owner, namingIssue(ref, context)),
        );
        spent = addUsage(spent, summary.usage);
        ended.push(summary.error);
        halted ??= haltReason(ended);
        return summary;
      }),
    ),
  );
}

/** Reaps the Coder workspaces of dead parents before the selection, so that their locks do not hide issues from this batch. */
async function reapFirst({
  settings,
  ports,
  inspections,
  stop,
}: Pick<BatchContext, "settings" | "ports" | "inspections" | "stop">): Promise<BatchSummary["stranded"]> {
  const stranded: BatchSummary["stranded"] = [];
  const { plan, reaped } = await reapLeaked(settings, ports, stop);
  inspections.noteEarlier(keptEarlier(plan));
  for (const { workspace, reason, result } of reaped) {
    const { name, id } = workspace;
    if (result.type === "stranded") stranded.push({ name, id, error: describeFailure(result.error) });
    else ports.observe({ type: "reaped", name, reason });
  }
  return stranded;
}

/**
 * Returns `signal`, which a stop or the batch deadline (if there is one) aborts, and `passed`, which only the batch deadline
 * aborts.
 */
function batchDeadline(
  settings: BatchSettings,
  ports: BatchPorts,
  stop: AbortSignal,
): Disposable & { signal: AbortSignal; passed: AbortSignal } {
  const controller = new AbortController();
  const passed = controller.signal;
  const durationMs = settings.batchDeadlineMs;
  if (durationMs === null) return { signal: stop, passed, [Symbol.dispose]: () => undefined };
  const timer = ports.clock.schedule(durationMs, () => {
    ports.observe({ type: "stopping", reason: "the batch deadline has passed" });
    controller.abort(new StopRequested("batch-deadline"));
  });
  return {
    signal: AbortSignal.any([stop, passed]),
    passed,
    [Symbol.dispose]: () => timer[Symbol.dispose](),
  };
}

async function withSkipped(
  skipped: Selection["skipped"],
  worked: Promise<IssueSummary[]>,
): Promise<IssueSummary[]> {
  return [...skipped.map(({ ref, reason }) => emptySummary(ref, "skipped", reason)), ...(await worked)];
}

function strandedRuns(issues: readonly IssueSummary[]): BatchSummary["stranded"] {
  return issues.flatMap(({ workspace, error }) =>
    workspace === null || workspace.destroyed || workspace.keptUntil !== null || error === null
      ? []
      : [{ name: workspace.name, id: workspace.id, error }],
  );
}

function keptRuns(issues: readonly IssueSummary[]): KeptSummary[] {
  return issues.flatMap(({ repo, number, workspace }) => {
    if (workspace === null || workspace.keptUntil === null || workspace.id === null) return [];
    return [{ repo, number, name: workspace.name, id: workspace.id, until: workspace.keptUntil }];
  });
}
