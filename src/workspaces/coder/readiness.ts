import type { AgentFacts, BuildFacts, WorkspaceFacts } from "./coder-schemas.ts";

/** The condition that is awaited; each has its own time limit. */
export type ReadinessStage = "queue" | "build" | "connect" | "startup";

export type Readiness =
  | { type: "waiting"; stage: ReadinessStage; phase: string; agent: AgentFacts | null }
  | { type: "ready"; agent: AgentFacts }
  | { type: "stopped"; transition: string }
  | { type: "build-failed"; build: BuildFacts; isQuota: boolean }
  | { type: "no-agent"; names: string[] }
  | { type: "startup-failed"; agent: AgentFacts };

/** One look at a Coder workspace. `agentName` is only needed when its template has several Coder workspace agents. */
export function planReadiness({ latest_build: build }: WorkspaceFacts, agentName: string | null): Readiness {
  if (build.transition !== "start") return { type: "stopped", transition: build.transition };
  switch (build.job.status) {
    case "pending":
      return { type: "waiting", stage: "queue", phase: "queued", agent: null };
    case "failed":
    case "canceled":
    case "canceling":
      return { type: "build-failed", build, isQuota: isQuota(build) };
    case "succeeded":
      return agentReadiness(build, agentName);
    default:
      // running, and whatever a newer Coder calls something that is under way.
      return { type: "waiting", stage: "build", phase: "building", agent: null };
  }
}

function isQuota({ job }: BuildFacts): boolean {
  return job.error_code === "INSUFFICIENT_QUOTA" || /insufficient quota/i.test(job.error ?? "");
}

function agentReadiness(build: BuildFacts, agentName: string | null): Readiness {
  const agents = build.resources
    .flatMap((resource) => resource.agents)
    // Sub-agents are devcontainers inside the Coder workspace.
    .filter(({ parent_id }) => !parent_id);
  const candidates = agentName === null ? agents : agents.filter(({ name }) => name === agentName);
  const [agent, ...others] = candidates;
  if (agent === undefined || others.length > 0)
    return { type: "no-agent", names: agents.map(({ name }) => name) };
  if (agent.lifecycle_state === "start_error" || agent.lifecycle_state === "start_timeout")
    return { type: "startup-failed", agent };
  // `timeout` is not terminal, and a claimed prebuild passes through the shutdown states before it starts again.
  if (agent.status !== "connected") return { type: "waiting", stage: "connect", phase: "connecting", agent };
  if (agent.lifecycle_state === "ready") return { type: "ready", agent };
  return { type: "waiting", stage: "startup", phase: "starting", agent };
}
