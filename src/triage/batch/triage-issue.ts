import { startDeadline } from "agent-tty/kit";
import { issueKey } from "../../github/index.ts";
import type { RunOwner } from "../../runs/index.ts";
import type { CoderWorkspace } from "../../workspaces/index.ts";
import type { BatchContext } from "./batch-context.ts";
import { closeCheckpoint } from "./delivery.ts";
import { holdWorkspace } from "./hold-workspace.ts";
import { publish, repair } from "./publish.ts";
import { RunRecord } from "./run-record.ts";
import { assess, type Candidate, isCandidate } from "./select-issues.ts";
import type { IssueSummary } from "./summary.ts";
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

async function triageInWorkspace(
  candidate: Candidate,
  workspace: CoderWorkspace,
  record: RunRecord,
  context: BatchContext,
): Promise<void> {
  const { clock, reader } = context.ports;
  const { ref } = candidate.issue;
  const { runDeadlineMs } = context.settings;
  const endsMs = clock.monotonicMs() + runDeadlineMs;
  using deadline = startDeadline(clock, `the Triage Run of ${issueKey(ref)}`, runDeadlineMs, context.stop);
  const { signal } = deadline;

  // A33, T4: another batch may have finished this issue between our query and our lock.
  const lookup = await reader.issue(ref, signal);
  if (lookup.type === "gone") return record.settle("skipped", `issue-${lookup.reason}`);
  const fresh = await assess(lookup.issue, context, signal, candidate);
  if (!isCandidate(fresh)) return record.settle("skipped", "no-longer-eligible");
  if (fresh.eligibility.type === "repair")
    return await context.publishing(() => repair(fresh, record, context));

  record.note({ reason: fresh.eligibility.reason });
  const remainingMs = (): number => Math.max(1, Math.round(endsMs - clock.monotonicMs()));
  const decision = await workOut(fresh, workspace, record, context, { signal, remainingMs });
  await context.publishing(() =>
    record.timed("applyMs", () => publish(fresh, decision, workspace, record, context)),
  );
}
