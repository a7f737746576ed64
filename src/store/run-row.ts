import { z } from "zod";
import {
  activityStates,
  coderWorkspaceStates,
  type CoderWorkspaceFacts,
  type PhaseFacts,
  runnerVerdicts,
  runPhases,
  runStates,
  type RunStateFacts,
  triageRunEndSchema,
  type TriageRunFacts,
} from "../runs/index.ts";
import type { Binding } from "./database.ts";
import { issueFacts, nudges, phaseHistory, pullRequests, resultFacts } from "./run-json.ts";
import { storedJson } from "./stored-json.ts";

const row = z.object({
  run_id: z.string(),
  repo: z.string(),
  number: z.int(),
  phase: z.enum(runPhases),
  phase_history: storedJson(phaseHistory),
  end: storedJson(triageRunEndSchema).nullable(),
  run_state: z.enum(runStates),
  started_at_ms: z.number().nullable(),
  detached_at_ms: z.number().nullable(),
  last_report_at_ms: z.number().nullable(),
  activity_state: z.enum(activityStates),
  is_terminated: z.int(),
  spawned_at_ms: z.number().nullable(),
  first_signal_at_ms: z.number().nullable(),
  last_activity_at_ms: z.number(),
  is_signal_capable: z.int(),
  exit_code: z.int().nullable(),
  workspace_state: z.enum(coderWorkspaceStates),
  workspace_name: z.string().nullable(),
  workspace_id: z.string().nullable(),
  session_id: z.string().nullable(),
  pull_requests: storedJson(pullRequests),
  final_report_at_ms: z.number().nullable(),
  runner_verdict: z.enum(runnerVerdicts).nullable(),
  nudges: storedJson(nudges),
  restored_from: z.string().nullable(),
  issue: storedJson(issueFacts).nullable(),
  result: storedJson(resultFacts).nullable(),
});
type Row = z.infer<typeof row>;

const keyColumns = ["run_id", "repo", "number"];
const factColumns = Object.keys(row.shape).filter((column) => !keyColumns.includes(column));
const columns = [...keyColumns, ...factColumns];

export const runColumns = columns.map((column) => `runs.${column}`).join(", ");

/** Inserts or updates a run. Nothing is written, not even updated_at_ms, when all facts are equal to the stored ones. */
export const upsertRun = `
INSERT INTO runs (${columns.join(", ")}, updated_at_ms)
VALUES (${columns.map((column) => `:${column}`).join(", ")}, :updated_at_ms)
ON CONFLICT (${keyColumns.join(", ")}) DO UPDATE
SET ${[...factColumns, "updated_at_ms"].map((column) => `${column} = excluded.${column}`).join(", ")}
WHERE (${factColumns.map((column) => `runs.${column}`).join(", ")})
  IS NOT (${factColumns.map((column) => `excluded.${column}`).join(", ")})`;

/** Returns the SQL bindings of a run. */
export function runBindings(facts: TriageRunFacts): Record<string, Binding> {
  const { progress, runState, activity, coderWorkspace } = facts;
  const bindings: Record<keyof Row, Binding> = {
    run_id: facts.runId,
    repo: facts.repo,
    number: facts.number,
    phase: progress.phase,
    phase_history: JSON.stringify(progress.history),
    end: progress.phase === "settled" ? JSON.stringify(progress.end) : null,
    run_state: runState.state,
    started_at_ms: runState.state === "idle" ? null : runState.startedAtMs,
    detached_at_ms: runState.state === "detached" ? runState.detachedAtMs : null,
    last_report_at_ms: runState.lastReportAtMs,
    activity_state: activity.state,
    is_terminated: Number(activity.isTerminated),
    spawned_at_ms: activity.spawnedAtMs,
    first_signal_at_ms: activity.firstSignalAtMs,
    last_activity_at_ms: activity.lastActivityAtMs,
    is_signal_capable: Number(activity.isSignalCapable),
    exit_code: activity.exitCode,
    workspace_state: coderWorkspace.state,
    workspace_name: coderWorkspace.name,
    workspace_id: coderWorkspace.id,
    session_id: facts.sessionId,
    pull_requests: JSON.stringify(facts.pullRequests),
    final_report_at_ms: runState.state === "idle" ? null : runState.finalReportAtMs,
    runner_verdict: facts.runnerVerdict,
    nudges: JSON.stringify(facts.nudges),
    restored_from: facts.restoredFrom,
    issue: facts.issue === null ? null : JSON.stringify(facts.issue),
    result: facts.result === null ? null : JSON.stringify(facts.result),
  };
  return bindings;
}

/** The schema that converts a row to facts. A combination of columns that matches no state is rejected like any other damage. */
export const runRow = row.transform((row, context): TriageRunFacts => {
  const [progress, runState, coderWorkspace] = [phaseOf(row), runStateOf(row), coderWorkspaceOf(row)];
  if (progress === null || runState === null || coderWorkspace === null) {
    context.issues.push({ code: "custom", message: "columns contradict each other", input: row });
    return z.NEVER;
  }
  return {
    runId: row.run_id,
    repo: row.repo,
    number: row.number,
    issue: row.issue,
    progress,
    runState,
    activity: {
      state: row.activity_state,
      isTerminated: row.is_terminated === 1,
      spawnedAtMs: row.spawned_at_ms,
      firstSignalAtMs: row.first_signal_at_ms,
      lastActivityAtMs: row.last_activity_at_ms,
      isSignalCapable: row.is_signal_capable === 1,
      exitCode: row.exit_code,
    },
    coderWorkspace,
    sessionId: row.session_id,
    pullRequests: row.pull_requests,
    nudges: row.nudges,
    runnerVerdict: row.runner_verdict,
    restoredFrom: row.restored_from,
    result: row.result,
  };
});

function phaseOf({ phase, phase_history: history, end }: Row): PhaseFacts | null {
  if (phase !== "settled") return end === null ? { phase, history } : null;
  return end === null ? null : { phase, history, end };
}

function runStateOf(row: Row): RunStateFacts | null {
  const { started_at_ms: startedAtMs, detached_at_ms: detachedAtMs } = row;
  const lastReportAtMs = row.last_report_at_ms;
  if (row.run_state === "idle") return { state: "idle", lastReportAtMs };
  if (startedAtMs === null) return null;
  const prompt = { startedAtMs, lastReportAtMs, finalReportAtMs: row.final_report_at_ms };
  if (row.run_state === "running") return { state: "running", ...prompt };
  return detachedAtMs === null ? null : { state: "detached", ...prompt, detachedAtMs };
}

function coderWorkspaceOf(row: Row): CoderWorkspaceFacts | null {
  const { workspace_state: state, workspace_name: name, workspace_id: id } = row;
  if (state === "absent") return { state, name, id };
  if (name === null) return null;
  if (state === "creating" || state === "stranded") return { state, name, id };
  return id === null ? null : { state, name, id };
}
