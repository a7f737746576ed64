import { OperationalError, startDeadline } from "agent-tty/kit";
import { type GithubErrorCode, issueKey, type IssueRef } from "../../../github/index.ts";
import { writeDuration } from "../../../notation/index.ts";
import type { RunOwner } from "../../../runs/index.ts";
import type { CoderWorkspace, Lease } from "../../../workspaces/index.ts";
import type { WorkContext } from "../batch-work.ts";
import { closeCheckpoint } from "./delivery.ts";
import { holdWorkspace } from "../lock/index.ts";
import { startLook } from "./look.ts";
import { publish, SHORTEST_PUBLICATION_MS } from "./publish.ts";
import { repair } from "./repair.ts";
import { RunRecord } from "../run-record.ts";
import { type Candidate, isCandidate } from "../candidate.ts";
import type { IssueSummary } from "../summary.ts";

/**
 * Processes one issue, from the lock to the deletion: create (name = lock) → re-query → work out a decision → re-check → apply →
 * always destroy. A stop of this run alone ends it like a stop of the batch. Never rejects: every result or failure becomes the
 * issue's line in the summary.
 */
export async function triageIssue(
  candidate: Candidate,
  owner: RunOwner,
  batch: WorkContext,
): Promise<IssueSummary> {
  const context = { ...batch, stop: AbortSignal.any([batch.stop, owner.stopSignal]) };
  const record = new RunRecord(candidate, context);
  const { ref } = candidate.issue;
  try {
    context.stop.throwIfAborted();
    if (candidate.eligibility.type !== "repair" && (await context.work.early(candidate, context)) === null)
      await triageUnderLock(candidate, record, context);
    else
      await inTurn(ref, context.settings.runDeadlineMs, context, () =>
        publishEarly(candidate, record, context),
      );
  } catch (error) {
    record.fail(error);
  }
  await closeCheckpoint(ref, record, context);
  return record.finish();
}

async function triageUnderLock(candidate: Candidate, record: RunRecord, context: WorkContext): Promise<void> {
  const result = await holdWorkspace(candidate.issue.ref, record, context, (workspace) =>
    triageInWorkspace(candidate, workspace, record, context),
  );
  if (result.type === "locked") record.settle("locked", lockReason(candidate.issue.ref, result.holder));
}

/**
 * Returns why the lock of another holder skips the issue. Repositories with the same name and different owners share the names of
 * Coder workspaces (docs/operating.md). If the holder's issue is in another repository, the lock does not mean that anybody works
 * on this issue.
 */
function lockReason(ref: IssueRef, holder: Lease | null): string {
  const isOfAnother = holder !== null && holder.issueKey !== "" && holder.issueKey !== issueKey(ref);
  return isOfAnother ? "locked-by-another-repository" : "locked-by-another-parent";
}

/**
 * Publishes what needs neither a Coder workspace nor a Triage Agent: a repair, or an outcome such as that of a vulnerability
 * report (S16). The issue is looked at in the turn of the publication, since people may have decided while it waited.
 */
async function publishEarly(candidate: Candidate, record: RunRecord, context: WorkContext): Promise<void> {
  using valid = startLook(context.ports.clock, candidate.issue.ref);
  const fresh = await lookAgain(candidate, record, context, context.stop);
  if (fresh === null) return;
  if (fresh.eligibility.type === "repair") {
    await repair(fresh, valid, record, context);
    return;
  }
  const early = await context.work.early(fresh, context);
  if (early === null) return record.settle("requeued", "issue-changed");
  await record.timed("applyMs", () =>
    publish(fresh, early, null, record, context, () => context.settings.runDeadlineMs),
  );
}

/**
 * Returns the issue, read again, because another batch may have finished it between our query and our turn (A33, T4). null: there
 * is nothing left to do, and the issue is settled as skipped.
 */
async function lookAgain(
  candidate: Candidate,
  record: RunRecord,
  context: WorkContext,
  signal: AbortSignal,
): Promise<Candidate | null> {
  const lookup = await context.ports.reader.issue(candidate.issue.ref, signal);
  if (lookup.type === "gone") {
    record.settle("skipped", `issue-${lookup.reason}`);
    return null;
  }
  const fresh = await context.work.assess(lookup.issue, context, signal, candidate);
  if (isCandidate(fresh)) {
    if (fresh.eligibility.type !== "repair") record.note({ reason: fresh.eligibility.reason });
    return fresh;
  }
  record.settle("skipped", "no-longer-eligible");
  return null;
}

async function triageInWorkspace(
  candidate: Candidate,
  workspace: CoderWorkspace,
  record: RunRecord,
  context: WorkContext,
): Promise<void> {
  const { clock } = context.ports;
  const { ref } = candidate.issue;
  const { runDeadlineMs } = context.settings;
  const endsMs = clock.monotonicMs() + runDeadlineMs;
  using deadline = startDeadline(clock, `the Triage Run of ${issueKey(ref)}`, runDeadlineMs, context.stop);
  const { signal } = deadline;

  const remainingMs = (): number => Math.max(1, Math.round(endsMs - clock.monotonicMs()));
  const fresh = await lookAgain(candidate, record, context, signal);
  if (fresh === null) return;
  if (fresh.eligibility.type === "repair")
    return await inTurn(ref, remainingMs(), context, () => publishEarly(fresh, record, context));

  const concluded = await context.work.conclude(fresh, workspace, record, context, { signal, remainingMs });
  if (concluded === null) return;
  await inTurn(ref, remainingMs(), context, () =>
    record.timed("applyMs", () => publish(fresh, concluded, workspace, record, context, remainingMs)),
  );
}

/**
 * Publishes in its turn. An unreachable GitHub may delay the turn, but the Coder workspace is held only until shortly after the
 * run deadline. `remainingMs`: the rest of the run deadline.
 */
async function inTurn(
  ref: IssueRef,
  remainingMs: number,
  { ports, stop }: Pick<WorkContext, "ports" | "stop">,
  publication: () => Promise<void>,
): Promise<void> {
  const patienceMs = remainingMs + SHORTEST_PUBLICATION_MS;
  using wait = startDeadline(ports.clock, `the wait for a turn on ${issueKey(ref)}`, patienceMs, stop);
  const { signal } = wait;
  await ports.publishing(ref.repo, publication, signal).catch((error: unknown) => {
    throw error === signal.reason && !stop.aborted ? withoutTurn(ref, patienceMs) : error;
  });
}

function withoutTurn(ref: IssueRef, patienceMs: number): OperationalError<GithubErrorCode> {
  return new OperationalError<GithubErrorCode>({
    code: "GITHUB_UNREACHABLE",
    message: `publish the outcome of ${issueKey(ref)}: its turn did not come within ${writeDuration(Math.ceil(patienceMs / 60_000) * 60_000)}, because GitHub was slow or away for the publications before it`,
    remedy: "The next batch publishes it, without a second Triage Agent.",
  });
}
