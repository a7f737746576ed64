import { messageOf } from "agent-tty/kit";
import type { IssueRef } from "../../../github/index.ts";
import type { TriageRunFacts } from "../../../runs/index.ts";
import type { UnpublishedRun } from "../../eligibility/index.ts";
import type { BatchPorts } from "../batch-context.ts";
import type { TriageErrorCode } from "../triage-error.ts";

/** The number of runs that are read. More would change nothing, because the wait has reached its maximum by then. */
const LOOKED_AT = 50;

/** Returns the Triage Runs of this home that cost something since the last one that published, newest first. */
export function unpublishedRuns(
  ref: IssueRef,
  ports: Pick<BatchPorts, "store" | "observe">,
): UnpublishedRun[] {
  return unpublishedFacts(ref, ports).flatMap((facts) => unpublished(facts) ?? []);
}

/** Returns every Triage Run of the issue since the last one that published something, newest first. */
export function unpublishedFacts(
  { repo, number }: IssueRef,
  { store, observe }: Pick<BatchPorts, "store" | "observe">,
): TriageRunFacts[] {
  const facts = earlierRuns();
  const published = facts.findIndex(
    ({ progress }) => progress.phase === "settled" && progress.end.status === "applied",
  );
  return published === -1 ? facts : facts.slice(0, published);

  /** Returns the issue's earlier runs. If the store fails, they are lost, but no Triage Run fails (C7). */
  function earlierRuns(): TriageRunFacts[] {
    try {
      return store.runsOfIssue(repo, number, LOOKED_AT);
    } catch (error) {
      observe({ type: "warning", message: `earlier Triage Runs were not looked at: ${messageOf(error)}` });
      return [];
    }
  }
}

const DIALOG_UNKNOWN = "TRIAGE_AGENT_DIALOG_UNKNOWN" satisfies TriageErrorCode;
const AGENTS_FAULT: ReadonlySet<string> = new Set<TriageErrorCode>([
  "TRIAGE_AGENT_FAILED",
  "TRIAGE_AGENT_BLOCKED",
  DIALOG_UNKNOWN,
  "SECRET_LEAKED",
  "RUN_INTERNAL_ERROR",
]);

/**
 * Returns when and why the run published nothing; null: it cost nothing, it was stopped by a person or by the batch, or its
 * parent died.
 */
function unpublished({ progress }: TriageRunFacts): UnpublishedRun | null {
  if (progress.phase !== "settled") return null;
  const { end, history } = progress;
  // A Triage Agent that is refused because of its version is never started, but its run has cost a Coder workspace.
  const isRefused = end.status === "failed" && end.error.code === DIALOG_UNKNOWN;
  if (!isRefused && history.every(({ phase }) => phase !== "triaging")) return null;
  const endedAtMs = history.at(-1)?.atMs ?? 0;
  // The issue is read again right after the Coder workspace is requested.
  const times = { readAtMs: history.find(({ phase }) => phase === "creating")?.atMs ?? endedAtMs, endedAtMs };
  if (end.status === "requeued") return { ...times, cause: "infrastructure" };
  if (end.status !== "failed" || end.reason === "parent-lost") return null;
  return { ...times, cause: AGENTS_FAULT.has(end.error.code) ? "triage-agent" : "infrastructure" };
}
