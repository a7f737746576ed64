import type { OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode, WorkspaceIdentity } from "../port.ts";
import type { CoderContext } from "./coder-context.ts";
import type { AgentFacts, WorkspaceFacts } from "./coder-schemas.ts";
import { type BuildFailure, planReadiness, type Readiness, type ReadinessStage } from "./readiness.ts";
import type { CoderTimings } from "./timings.ts";
import { printable, workspaceError } from "./workspace-error.ts";

const LOG_LINES = 20;

/** Matches the messages of a build log when the infrastructure around Terraform failed, not the template. */
const TRANSIENT =
  /i\/o timeout|timed? ?out|connection (?:reset|refused)|TLS handshake|no such host|temporar(?:y|ily)|too many requests|service unavailable|bad gateway|unexpected EOF/i;

const BUILD_FAILURES: Readonly<Record<BuildFailure, { code: WorkspaceErrorCode; remedy: string }>> = {
  quota: {
    code: "WORKSPACE_QUOTA",
    remedy: "Delete Coder workspaces of this user, lower the parallelism, or raise the quota.",
  },
  "quota-wait": {
    code: "WORKSPACE_QUOTA_BUSY",
    remedy:
      "Lower the parallelism: the deployment checks the quota of one user's builds one after the other.",
  },
  other: {
    code: "WORKSPACE_BUILD_FAILED",
    remedy: "Correct the Coder template; the log above shows where the build failed.",
  },
};

function retryOf(cause: BuildFailure, seen: string): { retry?: "fresh-workspace" | "after-pause" } {
  if (cause === "quota-wait") return { retry: "after-pause" };
  return TRANSIENT.test(seen) ? { retry: "fresh-workspace" } : {};
}

/**
 * Polls until the Coder workspace agent is connected and its startup scripts are done, and resolves with its facts. Rejects with
 * a WorkspaceErrorCode or the signal's reason.
 */
export async function awaitAgent(
  context: CoderContext,
  workspace: WorkspaceIdentity,
  signal: AbortSignal,
  onPhase: (phase: string) => void,
): Promise<AgentFacts> {
  const { clock, timings } = context;
  let stage: { name: ReadinessStage | null; sinceMs: number } = { name: null, sinceMs: 0 };
  for (;;) {
    const facts = await look(context, workspace, signal);
    const readiness = planReadiness(facts, context.agentName);
    if (readiness.type === "ready") return readiness.agent;
    if (readiness.type !== "waiting") throw await failureOf(context, workspace, readiness, signal);
    if (stage.name !== readiness.stage) {
      stage = { name: readiness.stage, sinceMs: clock.monotonicMs() };
      onPhase(readiness.phase);
    }
    const limitMs = limitOf(readiness, timings);
    const isSettled = readiness.stage === "claim" && clock.monotonicMs() - stage.sinceMs > limitMs;
    if (isSettled && readiness.agent !== null) return readiness.agent;
    if (clock.monotonicMs() - stage.sinceMs > limitMs)
      throw await tooSlow(context, workspace, facts, readiness, limitMs, signal);
    await clock.sleep(timings.pollMs, signal);
  }
}

/** Returns the Coder workspace's facts from the API. Rejects with WORKSPACE_LOST when it was deleted. */
export async function look(
  { api }: CoderContext,
  { id, name }: WorkspaceIdentity,
  signal: AbortSignal,
): Promise<WorkspaceFacts> {
  const facts = await api.workspace(id, signal);
  if (facts !== null) return facts;
  throw workspaceError({
    code: "WORKSPACE_LOST",
    message: `The Coder workspace ${name} (${id}) was deleted by somebody else`,
    remedy:
      "Find out who deletes Coder workspaces of this user; the issue is triaged again by the next batch.",
  });
}

type Waiting = Extract<Readiness, { type: "waiting" }>;

function limitOf({ stage, agent }: Waiting, timings: CoderTimings): number {
  switch (stage) {
    case "queue":
      return timings.pendingLimitMs;
    case "build":
      return timings.buildLimitMs;
    case "connect": {
      const seconds = agent?.connection_timeout_seconds ?? 120;
      // 0 in the template means that it never counts as timed out.
      return seconds === 0 ? timings.startupLimitMs : seconds * 1000 + timings.connectMarginMs;
    }
    case "claim":
      return timings.claimSettleMs;
    case "startup":
      return timings.startupLimitMs;
  }
}

/**
 * Returns the error for a Coder workspace that will not become ready. Its code says whether the Coder workspace stopped, or its
 * build or start failed.
 */
export async function failureOf(
  context: CoderContext,
  { name, id }: WorkspaceIdentity,
  readiness: Exclude<Readiness, { type: "waiting" | "ready" }>,
  signal: AbortSignal,
): Promise<OperationalError<WorkspaceErrorCode>> {
  switch (readiness.type) {
    case "stopped":
      return workspaceError({
        code: "WORKSPACE_LOST",
        message: `The Coder workspace ${name} (${id}) is no longer started: its latest build is a ${printable(readiness.transition)}`,
        remedy: "Raise the template's autostop above the run deadline, or find out who stopped it.",
      });
    case "build-failed": {
      const { build, cause } = readiness;
      const log = await lastLines(() => context.api.buildLogs(build.id, signal), signal);
      const error = printable(build.job.error ?? build.job.status);
      return workspaceError({
        ...BUILD_FAILURES[cause],
        message: `The build of the Coder workspace ${name} ended ${printable(build.job.status)}: ${error}${log}`,
        details: { id, name, ...retryOf(cause, error + log) },
      });
    }
    case "no-agent":
      return workspaceError({
        code: "WORKSPACE_AGENT_UNREACHABLE",
        message:
          `The Coder workspace ${name} has the Coder workspace agents [${readiness.names.map((each) => printable(each, 64)).join(", ")}]` +
          `; exactly one${context.agentName === null ? "" : ` named ${context.agentName}`} was expected`,
        remedy: "Name one of them in the configuration, or leave a single one in the Coder template.",
      });
    case "startup-failed": {
      const { agent } = readiness;
      const log = await lastLines(() => context.api.agentLogs(agent.id, signal), signal);
      return workspaceError({
        code: "WORKSPACE_STARTUP_FAILED",
        message: `The startup script of the Coder workspace ${name} failed (${agent.lifecycle_state})${log}`,
        remedy: "Correct the startup script of the Coder template.",
      });
    }
  }
}

async function tooSlow(
  context: CoderContext,
  { name, id }: WorkspaceIdentity,
  facts: WorkspaceFacts,
  { stage, agent }: Waiting,
  limitMs: number,
  signal: AbortSignal,
): Promise<OperationalError<WorkspaceErrorCode>> {
  const after = `after ${Math.round(limitMs / 1000)} s`;
  switch (stage) {
    case "queue":
    case "build": {
      const available = facts.latest_build.matched_provisioners?.available;
      return workspaceError({
        code: "WORKSPACE_BUILD_STUCK",
        message:
          `The build of the Coder workspace ${name} (${id}) is still ${printable(facts.latest_build.job.status)} ${after}` +
          (available === undefined ? "" : `; matching provisioners available: ${available}`),
        remedy:
          "Check that the provisioner daemons of the Coder deployment run and match the template's tags.",
      });
    }
    case "connect":
      return workspaceError({
        code: "WORKSPACE_AGENT_UNREACHABLE",
        message: `The Coder workspace agent of ${name} is still ${printable(agent?.status ?? "unknown")} ${after}`,
        remedy: "Check that the machine starts and reaches the access URL of the Coder deployment.",
        details: { id, name, retry: "fresh-workspace" },
      });
    case "claim":
    case "startup": {
      const log =
        agent === null ? "" : await lastLines(() => context.api.agentLogs(agent.id, signal), signal);
      return workspaceError({
        code: "WORKSPACE_STARTUP_FAILED",
        message: `The startup script of the Coder workspace ${name} is not done ${after} (${printable(agent?.lifecycle_state ?? "")})${log}`,
        remedy:
          "Shorten the startup script of the Coder template, for example by baking tools into the image.",
      });
    }
  }
}

/**
 * Returns the last lines of a log, or an empty text if the log cannot be read, because the failure itself must still be reported.
 */
async function lastLines(read: () => Promise<string[]>, signal: AbortSignal): Promise<string> {
  try {
    const lines = (await read()).slice(-LOG_LINES).map((line) => `\n  | ${printable(line, 300)}`);
    return lines.length === 0 ? "" : `; its log ends:${lines.join("")}`;
  } catch {
    signal.throwIfAborted();
    return "";
  }
}
