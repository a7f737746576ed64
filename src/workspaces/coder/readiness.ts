import type { AgentFacts, BuildFacts, WorkspaceFacts } from "./coder-schemas.ts";

/** The condition that is awaited. Each condition has its own time limit. */
export type ReadinessStage = "queue" | "build" | "connect" | "claim" | "startup";

/** `quota-wait`: the quota is not exhausted, but other builds of the user were checked first for more than 30 s (Coder 2.39). */
export type BuildFailure = "quota" | "quota-wait" | "other";

export type Readiness =
  | { type: "waiting"; stage: ReadinessStage; phase: string; agent: AgentFacts | null }
  | { type: "ready"; agent: AgentFacts }
  | { type: "stopped"; transition: string }
  | { type: "build-failed"; build: BuildFacts; cause: BuildFailure }
  | { type: "no-agent"; names: string[] }
  | { type: "startup-failed"; agent: AgentFacts };

/**
 * Returns the readiness from one read of a Coder workspace. `agentName` is needed only if its template has several Coder
 * workspace agents.
 */
export function planReadiness({ latest_build: build }: WorkspaceFacts, agentName: string | null): Readiness {
  if (build.transition !== "start") return { type: "stopped", transition: build.transition };
  switch (build.job.status) {
    case "pending":
      return { type: "waiting", stage: "queue", phase: "queued", agent: null };
    case "failed":
    case "canceled":
    case "canceling":
      return { type: "build-failed", build, cause: causeOf(build) };
    case "succeeded":
      return agentReadiness(build, agentName);
    default:
      // This is the status `running`, or any status that a newer Coder uses for a build in progress.
      return { type: "waiting", stage: "build", phase: "building", agent: null };
  }
}

function causeOf({ job }: BuildFacts): BuildFailure {
  if (job.error_code === "INSUFFICIENT_QUOTA" || /insufficient quota/i.test(job.error ?? "")) return "quota";
  return /failed to commit quota/i.test(job.error ?? "") ? "quota-wait" : "other";
}

function agentReadiness(build: BuildFacts, agentName: string | null): Readiness {
  const agents = build.resources
    .flatMap((resource) => resource.agents)
    // Sub-agents, which are devcontainers inside the Coder workspace, do not count.
    .filter(({ parent_id }) => !parent_id);
  const candidates = agentName === null ? agents : agents.filter(({ name }) => name === agentName);
  const [agent, ...others] = candidates;
  if (agent === undefined || others.length > 0)
    return { type: "no-agent", names: agents.map(({ name }) => name) };
  if (agent.lifecycle_state === "start_error" || agent.lifecycle_state === "start_timeout")
    return { type: "startup-failed", agent };
  // `timeout` is not terminal, and a claimed prebuild passes through the shutdown states before it starts again.
  if (agent.status !== "connected") return { type: "waiting", stage: "connect", phase: "connecting", agent };
  if (agent.lifecycle_state === "ready")
    return isFactOfPrebuild(build, agent)
      ? { type: "waiting", stage: "claim", phase: "claiming", agent }
      : { type: "ready", agent };
  return { type: "waiting", stage: "startup", phase: "starting", agent };
}

/**
 * Returns whether the build claimed a prebuilt Coder workspace. Our own Coder workspaces are built once; a claimed one was built
 * before.
 */
export function isClaim({ build_number, transition }: BuildFacts): boolean {
  return transition === "start" && (build_number ?? 1) > 1;
}

/**
 * Returns whether a reported state still belongs to the prebuild. After the build of a claim the Coder workspace agent is
 * instructed to start again. Until it does, it still reports the `ready` state of the prebuild, and a Session that is opened then
 * is cut off. A wrong clock of the machine costs at most `claimSettleMs`.
 */
function isFactOfPrebuild(build: BuildFacts, { started_at }: AgentFacts): boolean {
  if (!isClaim(build)) return false;
  const [startedMs, builtMs] = [started_at, build.job.completed_at].map((time) => Date.parse(time ?? ""));
  return !((startedMs ?? Number.NaN) > (builtMs ?? Number.NaN));
}
