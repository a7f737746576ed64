import { messageOf } from "agent-tty/kit";
import type { IssueRef } from "../../github/index.ts";
import type { TriageRunFacts } from "../../runs/index.ts";
import type { UnpublishedRun } from "../eligibility/index.ts";
import type { BatchPorts } from "./batch-context.ts";
import type { TriageErrorCode } from "./triage-error.ts";

/** More change nothing: the wait is at its longest by then. */
const LOOKED_AT = 50;

/** Of this home, since the last one that published something, the newest first. */
export function unpublishedRuns(
  { repo, number }: IssueRef,
  { store, observe }: Pick<BatchPorts, "store" | "observe">,
): UnpublishedRun[] {
  const found: UnpublishedRun[] = [];
  for (const facts of earlierRuns()) {
    if (facts.progress.phase === "settled" && facts.progress.end.status === "applied") break;
    const run = unpublished(facts);
    if (run !== null) found.push(run);
  }
  return found;

  /** C7: a store that fails costs its record, and no Triage Run. */
  function earlierRuns(): TriageRunFacts[] {
    try {
      return store.runsOfIssue(repo, number, LOOKED_AT);
    } catch (error) {
      observe({ type: "warning", message: `earlier Triage Runs were not looked at: ${messageOf(error)}` });
      return [];
    }
  }
}

const AGENTS_FAULT: ReadonlySet<string> = new Set<TriageErrorCode>([
  "TRIAGE_AGENT_FAILED",
  "TRIAGE_AGENT_BLOCKED",
  "SECRET_LEAKED",
  "RUN_INTERNAL_ERROR",
]);

/** null: it cost nothing, it was stopped by a person or by the batch, or its parent died. */
function unpublished({ progress }: TriageRunFacts): UnpublishedRun | null {
  if (progress.phase !== "settled" || progress.history.every(({ phase }) => phase !== "triaging"))
    return null;
  const { end, history } = progress;
  const endedAtMs = history.at(-1)?.atMs ?? 0;
  // The issue is read again right after the Coder workspace is asked for.
  const times = { readAtMs: history.find(({ phase }) => phase === "creating")?.atMs ?? endedAtMs, endedAtMs };
  if (end.status === "requeued") return { ...times, cause: "infrastructure" };
  if (end.status !== "failed" || end.reason === "parent-lost") return null;
  return { ...times, cause: AGENTS_FAULT.has(end.error.code) ? "triage-agent" : "infrastructure" };
}
