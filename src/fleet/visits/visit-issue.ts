import { type Clock, type Ids, OperationalError } from "agent-tty/kit";
import type { GithubErrorCode, IssueRef } from "../../github/index.ts";
import {
  type BatchPorts,
  type BatchSettings,
  type BatchWork,
  type IssueSummary,
  runBatch,
  StopRequested,
  triageWork,
} from "../../triage/index.ts";
import type { FleetObserver } from "../fleet-event.ts";
import type { HeldVisit, VisitEnd, VisitQueue } from "../queue/index.ts";
import type { FollowedRepositories, FollowedRepository } from "../repositories/index.ts";
import type { SpendLedger } from "../spend/index.ts";
import { fencePorts } from "./fence-ports.ts";
import { planVisitEnd } from "./plan-visit-end.ts";
import { visitWork } from "./visit-work.ts";

export interface VisitPorts {
  queue: VisitQueue;
  repositories: FollowedRepositories;
  spend: SpendLedger;
  batch: Omit<BatchPorts, "observe">;
  /** Opens a log for one batch while `work` runs; `observe` writes to it. */
  withLog: <Result>(work: (observe: BatchPorts["observe"]) => Promise<Result>) => Promise<Result>;
  observe: FleetObserver;
  clock: Clock;
  ids: Ids;
  /** The work on an eligible issue; default: triage. */
  work?: BatchWork;
}

/** Failures that say that no issue of the repository can be triaged now, by code, with the reason of the skip. */
const UNUSABLE: Readonly<Record<string, string>> = {
  GITHUB_REPOSITORY_MISSING: "repository-missing",
  GITHUB_REPOSITORY_CLOSED: "repository-closed",
} satisfies Partial<Record<GithubErrorCode, string>>;

/** The interval at which an issue with a spent budget is visited again, in case a person raises the limit. */
const BUDGET_AGAIN_MS = 3_600_000;

/**
 * Returns the function that makes one visit: first a dry run that writes and creates nothing, then, if the issue is eligible and
 * the budgets have room, one batch for this issue alone. `stopNow` ends the batch as a process signal ends a batch, and the issue
 * is visited again.
 */
export function createVisitor(
  settings: BatchSettings,
  ports: VisitPorts,
  stopNow: AbortSignal,
): (visit: HeldVisit, lost: AbortSignal) => Promise<VisitEnd> {
  const { repositories, spend, observe, work: inner = triageWork } = ports;

  return async (visit, lost) => {
    const repository = await repositories.find(visit.repositoryId);
    // When the repository is followed again, a poll from the start finds the issue.
    if (repository === null) return { type: "done" };
    const ref: IssueRef = { repo: repository.name, number: visit.number };
    observe({ type: "visit-started", ref, attempt: visit.attempt });
    using stop = stopOf(lost, stopNow);
    const looked = await look(ref, stop.signal);
    if (looked.type === "skipped") return finish(ref, { status: "skipped", reason: looked.reason });
    return await triage(visit, repository, ref, stop.signal);
  };

  async function look(
    ref: IssueRef,
    signal: AbortSignal,
  ): Promise<{ type: "eligible" } | { type: "skipped"; reason: string }> {
    let eligible = 0;
    const looking = { ...settings, repos: [ref.repo], onlyIssues: [], dryRun: true };
    const given: BatchPorts = {
      ...ports.batch,
      observe: (event) => {
        if (event.type === "selected") ({ eligible } = event);
        if (event.type === "warning") observe({ type: "batch", event });
      },
    };
    try {
      const { issues } = await runBatch(looking, given, signal, "new", visitWork(ref, inner, ""));
      const reason = issues[0]?.reason ?? "draining";
      return eligible > 0 ? { type: "eligible" } : { type: "skipped", reason };
    } catch (error) {
      const reason = error instanceof OperationalError ? UNUSABLE[error.code] : undefined;
      if (reason !== undefined) return { type: "skipped", reason };
      throw error;
    }
  }

  async function triage(
    visit: HeldVisit,
    repository: FollowedRepository,
    ref: IssueRef,
    signal: AbortSignal,
  ): Promise<VisitEnd> {
    const { runUsd, runTokens } = settings.budget;
    const atMost = { usd: runUsd ?? 0, tokens: runTokens ?? 0 };
    const hasCheckpoint = (await ports.batch.checkpoints.read(ref)) !== null;
    const admission = await spend.admit({ repository, number: ref.number, atMost, hasCheckpoint });
    if (admission.type === "refused") {
      observe({ type: "budget-spent", ref, againMs: BUDGET_AGAIN_MS, ...admission.budget });
      return { type: "again", delayMs: BUDGET_AGAIN_MS };
    }
    const fenced = fencePorts(ports.batch, { visit, queue: ports.queue, clock: ports.clock });
    const work = visitWork(ref, inner, `-${ports.ids.hex(4)}`);
    const own = { ...settings, repos: [ref.repo], onlyIssues: [], parallelism: 1 };
    let summary: Pick<IssueSummary, "status" | "reason" | "usage"> | undefined;
    try {
      const done = await ports.withLog((log) =>
        runBatch(own, { ...fenced, observe: both(log) }, signal, "new", work),
      );
      summary = done.issues[0];
    } catch (error) {
      await admission.withdraw();
      throw error;
    }
    if (summary === undefined) {
      await admission.withdraw();
      return { type: "again", delayMs: 0 };
    }
    const { status, reason, usage } = summary;
    const spent = { usd: usage.usd, tokens: usage.inputTokens + usage.outputTokens };
    await admission.settle({ state: status, ...spent });
    const failures = status === "failed" ? await spend.failures(repository.id, ref.number) : 0;
    return finish(ref, { status, reason, failures, ...spent });
  }

  function both(log: BatchPorts["observe"]): BatchPorts["observe"] {
    return (event) => {
      log(event);
      observe({ type: "batch", event });
    };
  }

  function finish(
    ref: IssueRef,
    ended: Pick<IssueSummary, "status" | "reason"> & { failures?: number; usd?: number; tokens?: number },
  ): VisitEnd {
    const { status, reason, failures = 0, usd = 0, tokens = 0 } = ended;
    const end = planVisitEnd({ status, reason, failures }, settings.cooldownMs);
    const againMs = end.type === "again" ? end.delayMs : null;
    observe({ type: "visit-finished", ref, status, reason, usd, tokens, againMs });
    return end;
  }
}

/** Returns a signal that aborts when one of both signals does, with a StopRequested, which a batch expects as its stop reason. */
function stopOf(lost: AbortSignal, stopNow: AbortSignal): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new StopRequested(lost.aborted ? "visit-lost" : "draining"));
  const signals = [lost, stopNow];
  if (signals.some(({ aborted }) => aborted)) stop();
  for (const signal of signals) signal.addEventListener("abort", stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const signal of signals) signal.removeEventListener("abort", stop);
    },
  };
}
