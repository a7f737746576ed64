import type { Socket } from "node:net";
import { agentState } from "./stand-in-agent.ts";
import { ticksNow } from "../process-starts.ts";
import { latestBuild, tmuxDirectory } from "./stand-in-state.ts";
import type { StandInState } from "./stand-in-model.ts";
import type { WorkspaceRecord } from "./stand-in-model.ts";

/** The next instruction for the stand-in's `coder ssh`. This is internal to the stand-in; the real protocol is tailnet. */
export type SshAdmission =
  | {
      type: "session";
      sessionId: string;
      /** Name of the Coder workspace. */
      workspace: string;
      home: string;
      env: Record<string, string>;
      drop: boolean;
    }
  | { type: "wait" }
  | { type: "refused"; message: string };

export interface SshSessions {
  admit(query: URLSearchParams): SshAdmission;
  /** Keeps the session's connection open for as long as the connection of its process. */
  hold(sessionId: string, connection: Socket): void;
  /** Drops all connections and returns their number. */
  dropAll(): number;
  /** Ends the sessions of a Coder workspace agent that restarts. */
  dropOf(workspaceId: string): void;
  /** Returns the number of connections that are neither lost nor closed. */
  count(): number;
}

export function createSshSessions(state: StandInState, url: () => string): SshSessions {
  const held = new Map<string, Socket>();
  const machines = new Map<string, WorkspaceRecord>();
  let count = 0;
  return {
    admit: (query) => {
      const target = resolveTarget(state, query.get("target") ?? "");
      if (target.type === "refused") return target;
      const { workspace, agentName } = target;
      const build = latestBuild(workspace);
      const isStopped = build.transition !== "start" || build.job === "canceled";
      if (isStopped) return refused("workspace must be started");
      if (build.job === "failed") return refused("workspace build failed");
      const agent = agentState(workspace, build, state.timings);
      if (build.job !== "succeeded" || agent.status !== "connected") return { type: "wait" };
      if (agent.lifecycle_state === "shutting_down") return refused("agent is shutting down");
      if (query.get("wait") !== "no" && agent.lifecycle_state === "starting") return { type: "wait" };
      if (state.faults.sshSetupFailures > 0) {
        state.faults.sshSetupFailures -= 1;
        return refused("ssh: handshake failed: EOF");
      }
      const drop = state.faults.sshDrops > 0;
      if (drop) state.faults.sshDrops -= 1;
      count += 1;
      workspace.reachedSince ??= ticksNow();
      const env = sessionEnvironment(workspace, agentName, state.me.username, url());
      const { name, home } = workspace;
      machines.set(String(count), workspace);
      return { type: "session", sessionId: String(count), workspace: name, home, env, drop };
    },
    hold: (sessionId, connection) => {
      held.set(sessionId, connection);
      const leftMs = (machines.get(sessionId)?.reinitialiseMs ?? 0) - Date.now();
      const end = leftMs > 0 ? setTimeout(() => connection.end(), leftMs).unref() : undefined;
      connection.on("close", () => {
        clearTimeout(end);
        held.delete(sessionId);
      });
    },
    dropAll: () => {
      const lost = held.size;
      held.forEach((connection) => connection.end());
      held.clear();
      return lost;
    },
    dropOf: (workspaceId) => {
      for (const [sessionId, connection] of held)
        if (machines.get(sessionId)?.id === workspaceId) connection.end();
    },
    count: () => held.size,
  };
}

type Target = { type: "found"; workspace: WorkspaceRecord; agentName: string };

const refused = (message: string): { type: "refused"; message: string } => ({ type: "refused", message });

/** Resolves `<uuid>`, `<uuid>.<agent>`, `ws`, `ws.agent`, `owner/ws` or `owner/ws.agent`. */
function resolveTarget(state: StandInState, text: string): Target | { type: "refused"; message: string } {
  const [place = "", agentName] = (text.split("/").at(-1) ?? "").split(".");
  const workspace = state.workspaces.find(
    ({ id, name, isDeleted }) => !isDeleted && (id === place || name === place),
  );
  if (workspace === undefined)
    return refused("Resource not found or you do not have access to this resource");
  const names = workspace.agents.map(({ name }) => name);
  if (agentName === undefined && names.length > 1)
    return refused(
      `multiple agents found, please specify the agent name, available agents: [${names.join(" ")}]`,
    );
  const chosen = agentName ?? names[0];
  if (chosen === undefined || !names.includes(chosen))
    return refused(`agent not found by name "${agentName}", available agents: [${names.join(" ")}]`);
  return { type: "found", workspace, agentName: chosen };
}

function sessionEnvironment(
  workspace: WorkspaceRecord,
  agentName: string,
  owner: string,
  url: string,
): Record<string, string> {
  return {
    CODER: "true",
    CODER_WORKSPACE_NAME: workspace.name,
    CODER_WORKSPACE_AGENT_NAME: agentName,
    CODER_WORKSPACE_OWNER_NAME: owner,
    CODER_WORKSPACE_ID: workspace.id,
    CODER_AGENT_TOKEN: `agent-token-of-${workspace.id}`,
    CODER_AGENT_URL: url,
    CODER_AGENT_AUTH: "token",
    GIT_SSH_COMMAND: "/tmp/coder gitssh --",
    GIT_ASKPASS: "/tmp/coder",
    HOME: workspace.home,
    TMUX_TMPDIR: tmuxDirectory(workspace),
    USER: "coder",
    LOGNAME: "coder",
    SHELL: "/bin/bash",
    SSH_CLIENT: "0.0.0.0 0 0",
    SSH_CONNECTION: "0.0.0.0 0 0.0.0.0 0",
  };
}
