import type { IssueRef } from "../../../github/index.ts";
import type { AutonomyLevel } from "../../../trust/index.ts";
import type { PublicationTarget } from "../../policy/index.ts";
import { kindOf } from "../../publication/index.ts";
import { tokensOf } from "../../triage-agents/index.ts";
import type { BatchPorts } from "../batch-context.ts";
import type { BatchTrust } from "../batch-trust.ts";
import type { RunRecord } from "../run-record.ts";
import { promptVersion } from "./prompt-version.ts";

/** An outcome, its Triage Run, and how far it was applied. */
export interface DecidedOutcome {
  ref: IssueRef;
  /** The batch that decided the outcome; for a repair this is an earlier one. */
  runId: string;
  target: PublicationTarget;
  level: AutonomyLevel;
  commentId: number | null;
  snapshotHash: string;
  /** When it was published, where that was noticed late; absent: now. Milliseconds since the epoch. */
  atMs?: number;
}

interface DecisionJournal {
  trust: BatchTrust;
  ports: Pick<BatchPorts, "triageAgent" | "clock">;
}

/** Stores an outcome as it was applied, proposed or withheld. What people do with it from now on is compared with this record. */
export function recordDecided(outcome: DecidedOutcome, record: RunRecord, context: DecisionJournal): void {
  const { ref, runId, target, level, commentId, snapshotHash, atMs = context.ports.clock.nowMs() } = outcome;
  const kind = kindOf(target);
  if (kind === null) return;
  const { triageAgent } = context.ports;
  const { usage, policy, confidence, evidence, elapsedMs } = record;
  context.trust.record({
    type: "decided",
    key: `decided:${ref.repo}#${ref.number}:${runId}`,
    repo: ref.repo,
    number: ref.number,
    runId,
    atMs,
    detail: {
      kind,
      state: target.state,
      category: target.category,
      confidence,
      close: target.close,
      level,
      policy: [...policy],
      commentId,
      snapshotHash,
      model: [triageAgent.name, triageAgent.model ?? ""].join(" ").trim(),
      prompt: promptVersion(),
      evidence: evidence?.verdict ?? null,
      ms: elapsedMs,
      usd: usage.usd,
      tokens: tokensOf(usage),
    },
  });
}
