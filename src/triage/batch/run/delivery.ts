import { stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { type Clock, messageOf } from "agent-tty/kit";
import type { DuplicateCandidate } from "../../../duplicates/index.ts";
import { type IssueRef, type Person, redactSecretsIn } from "../../../github/index.ts";
import { type Checkpoint, keptOutcome, outcomeOf } from "../../checkpoint.ts";
import { type CheckpointLibrary } from "../../checkpoint-library.ts";
import type { ParsedOutcome } from "../../outcome-reader/index.ts";
import { noUsage, type TriageAgentEnd } from "../../triage-agent.ts";
import type { BatchObserver } from "../batch-event.ts";
import type { RunRecord } from "../run-record.ts";
import { hashOf, usableCheckpoint } from "../usable-checkpoint.ts";
import type { AssessedIssue } from "../candidate.ts";

/** The parts of a Triage Agent's result on which decisions are based. */
export interface Delivery {
  end: TriageAgentEnd["type"];
  parsed: ParsedOutcome;
  /** The earlier issues that the Triage Agent could choose from as likely duplicates. */
  offered: readonly DuplicateCandidate[];
  /** The hash of the reproduction's script when it was read (V1); null without a script. */
  scriptHash: string | null;
}

/** The checkpoints of one home, and the facts of the batch that reads and writes them. */
interface CheckpointKeeping {
  runId: string;
  viewer: Person;
  ports: { checkpoints: CheckpointLibrary; runsDirectory: string; clock: Clock; observe: BatchObserver };
}

/** Returns the result that an earlier Triage Run has paid for (T9); null when there is none and a Triage Agent has to work. */
export async function resumeDelivery(
  fresh: AssessedIssue,
  record: RunRecord,
  context: CheckpointKeeping,
): Promise<Delivery | null> {
  const checkpoint = await usableCheckpoint(fresh, context);
  if (checkpoint === null) return null;
  record.phase("preparing", `continuing from the checkpoint of ${checkpoint.runId}`);
  record.note({ usage: checkpoint.isReported ? noUsage : checkpoint.usage });
  record.reportsCheckpoint = true;
  if (checkpoint.patch !== null) {
    const path = join(context.ports.runsDirectory, checkpoint.patch);
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    record.noteArtifacts({ patch: isThere ? path : null });
  }
  return {
    end: checkpoint.end,
    parsed: outcomeOf(checkpoint),
    offered: checkpoint.offered,
    scriptHash: checkpoint.scriptHash,
  };
}

/**
 * Saves the result as soon as it has been read, so that no later failure costs a second Triage Agent. If saving fails, it only
 * reports a warning.
 */
export async function checkpointDelivery(
  { end, parsed, offered, scriptHash }: Delivery,
  fresh: AssessedIssue,
  record: RunRecord,
  context: CheckpointKeeping,
): Promise<void> {
  const { ports, runId } = context;
  const { patch } = record.artifacts;
  record.reportsCheckpoint = true;
  const checkpoint: Checkpoint = {
    schema: "afk-triage/checkpoint@1",
    ...fresh.issue.ref,
    runId,
    savedAt: new Date(ports.clock.nowMs()).toISOString(),
    snapshotHash: hashOf(fresh, context),
    end,
    outcome: keptOutcome(parsed),
    scriptHash,
    patch: patch === null ? null : relative(ports.runsDirectory, patch),
    usage: record.usage,
    offered: redactSecretsIn(structuredClone(offered) as Checkpoint["offered"]),
    isReported: false,
  };
  await ports.checkpoints.save(checkpoint).catch((error: unknown) => {
    ports.observe({ type: "warning", message: `a checkpoint was not kept: ${messageOf(error)}` });
  });
}

/**
 * Removes the checkpoint after the Triage Run if its outcome was published or a secret was leaked. Otherwise marks its usage as
 * reported, so that it is reported only once.
 */
export async function closeCheckpoint(
  ref: IssueRef,
  record: RunRecord,
  { ports }: { ports: Pick<CheckpointKeeping["ports"], "checkpoints" | "observe"> },
): Promise<void> {
  try {
    if (record.status === "applied" || record.hasLeaked) return await ports.checkpoints.remove(ref);
    if (!record.reportsCheckpoint) return;
    const checkpoint = await ports.checkpoints.read(ref);
    if (checkpoint !== null && !checkpoint.isReported)
      await ports.checkpoints.save({ ...checkpoint, isReported: true });
  } catch (error) {
    ports.observe({ type: "warning", message: `a checkpoint was not settled: ${messageOf(error)}` });
  }
}
