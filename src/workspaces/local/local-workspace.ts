import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, OperationalError } from "agent-tty/kit";
import type { CoderWorkspace, ReadyWorkspace, WorkspaceErrorCode, WorkspaceIdentity } from "../port.ts";
import { confinedExec } from "./confined-exec.ts";
import { confined, confinedShell, insideEnvironment, type Isolation } from "./confinement.ts";

export interface LocalWorkspaceParts extends WorkspaceIdentity {
  path: string;
  clock: Clock;
  isolation: () => Promise<Isolation>;
}

/** Returns the marker in the environment of everything that runs inside; a destroy finds the processes by it. */
export function workspaceMarker(id: string): string {
  return `AFK_TRIAGE_WORKSPACE_ID=${id}`;
}

/** Creates a local Coder workspace: a private directory, with the isolation that this machine has. */
export function localWorkspace({ id, name, path, clock, isolation }: LocalWorkspaceParts): CoderWorkspace {
  return {
    id,
    name,
    origin: "built",
    ready: async (signal, onPhase) => {
      onPhase("preparing a private directory");
      const found = await isolation();
      signal.throwIfAborted();
      const directory = join(path, "run");
      await lstat(directory).catch((error: unknown) => {
        throw lost(name, path, error);
      });
      onPhase("ready");
      return readyWorkspace(path, directory, workspaceMarker(id), found, clock);
    },
  };
}

function readyWorkspace(
  path: string,
  directory: string,
  marker: string,
  isolation: Isolation,
  clock: Clock,
): ReadyWorkspace {
  return {
    directory,
    warnings: [],
    connection: null,
    terminal: ({ rcFile }) => ({
      command: confined(isolation, ["bash", "--noediting", "--rcfile", rcFile, "-i"]),
      env: insideEnvironment(path, marker, "xterm-256color"),
      cwd: directory,
    }),
    exec: (commandLine, options) => {
      const command = confinedShell(isolation, commandLine);
      return confinedExec(
        { command, cwd: directory, env: insideEnvironment(path, marker, "dumb") },
        options,
        clock,
      );
    },
  };
}

function lost(name: string, path: string, cause: unknown): OperationalError<WorkspaceErrorCode> {
  return new OperationalError<WorkspaceErrorCode>({
    code: "WORKSPACE_LOST",
    message: `cannot use the local Coder workspace ${name}: ${path} does not exist any more`,
    remedy: "Another parent or a person removed it; run the Triage Batch again.",
    cause,
  });
}
