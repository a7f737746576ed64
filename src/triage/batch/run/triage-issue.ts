import { startDeadline } from "agent-tty/kit";
import { issueKey } from "../../../github/index.ts";
import type { RunOwner } from "../../../runs/index.ts";
import type { CoderWorkspace } from "../../../workspaces/index.ts";
import { decideSecurityReport } from "../../policy/index.ts";
import type { BatchContext } from "../batch-context.ts";
import { closeCheckpoint } from "./delivery.ts";
import { holdWorkspace } from "../lock/index.ts";
import { publish, repair } from "./publish.ts";
import { RunRecord } from "../run-record.ts";
import { assess } from "../select-issues.ts";
import { type Candidate, isCandidate } from "../candidate.ts";
import { isCaughtEarly } from "../screen-issue.ts";
import type { IssueSummary } from "../summary.ts";
import { workOut } from "./work-out.ts";

/**
 * One issue, from the lock to the deletion: create (name = lock) → re-query → work out a decision → re-check → apply →
 * always destroy. A stop of this run alone ends it like a stop of the batch. Never rejects: whatever happens becomes the
 * issue's line in the summary.
 */
export async function triageIssue(
  candidate: Candidate,
  owner: RunOwner,
  batch: BatchContext,
): Promise<IssueSummary> {
  const context = { ...batch, stop: AbortSignal.any([batch.stop, owner.stopSignal]) };
  const record = new RunRecord(candidate, context);
  try {
    context.stop.throwIfAborted();
    if (candidate.eligibility.type === "repair")
      await context.publishing(() => repair(candidate, record, context));
    else if (isCaughtEarly(candidate, context.settings.labels))
      await context.publishing(() => publishCaughtEarly(candidate, record, context));
    else await triageUnderLock(candidate, record, context);
  } catch (error) {
    record.fail(error);
  }
  await closeCheckpoint(candidate.issue.ref, record, context);
  return record.finish();
}

async function triageUnderLock(
  candidate: Candidate,
  record: RunRecord,
  context: BatchContext,
): Promise<void> {
  const result = await holdWorkspace(candidate.issue.ref, record, context, (workspace) =>
    triageInWorkspace(candidate, workspace, record, context),
  );
  if (result.type === "locked") record.settle("locked", "locked-by-another-parent");
}

/** S16: a vulnerability report costs no Coder workspace and no Triage Agent. */
async function publishCaughtEarly(
  candidate: Candidate,
  record: RunRecord,
  context: BatchContext,
): Promise<void> {
  const fresh = await lookAgain(candidate, record, context, context.stop);
  if (fresh === null) return;
  if (fresh.eligibility.type === "repair") {
    await repair(fresh, record, context);
    return;
  }
  if (!isCaughtEarly(fresh, context.settings.labels)) return record.settle("requeued", "issue-changed");
  await record.timed("applyMs", () =>
    publish(fresh, decideSecurityReport(), null, record, context, () => context.settings.runDeadlineMs),
  );
}

/** A33, T4: another batch may have finished this issue between our query and our turn. null: then it is settled as skipped. */
async function lookAgain(
  candidate: Candidate,
  record: RunRecord,
  context: BatchContext,
  signal: AbortSignal,
): Promise<Candidate | null> {
  const lookup = await context.ports.reader.issue(candidate.issue.ref, signal);
  if (lookup.type === "gone") {
    record.settle("skipped", `issue-${lookup.reason}`);
    return null;
  }
  const fresh = await assess(lookup.issue, context, signal, candidate);
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
  context: BatchContext,
): Promise<void> {
  const { clock } = context.ports;
  const { ref } = candidate.issue;
  const { runDeadlineMs } = context.settings;
  const endsMs = clock.monotonicMs() + runDeadlineMs;
  using deadline = startDeadline(clock, `the Triage Run of ${issueKey(ref)}`, runDeadlineMs, context.stop);
  const { signal } = deadline;

  const fresh = await lookAgain(candidate, record, context, signal);
  if (fresh === null) return;
  if (fresh.eligibility.type === "repair")
    return await context.publishing(() => repair(fresh, record, context));

  const remainingMs = (): number => Math.max(1, Math.round(endsMs - clock.monotonicMs()));
  const decision = await workOut(fresh, workspace, record, context, { signal, remainingMs });
  await context.publishing(() =>
    record.timed("applyMs", () => publish(fresh, decision, workspace, record, context, remainingMs)),
  );
}
