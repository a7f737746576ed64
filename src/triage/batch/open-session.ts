import { createSession, type Home, type Session, shellIntegrationScript } from "agent-tty";
import { type Ids, OperationalError } from "agent-tty/kit";
import { type ReadyWorkspace, shellQuote, writeWorkspaceFile } from "../../workspaces/index.ts";
import type { TriageErrorCode } from "./triage-error.ts";

export interface SessionRequest {
  /** Shown by `agent-tty list`. */
  name: string;
  /** Absolute paths inside the Coder workspace. */
  rcFile: string;
  /** Where the shell begins; it exists or is made. */
  directory: string;
  /** Exported in the Session's shell. Nothing secret: it stands in a file there. */
  exports: Readonly<Record<string, string>>;
}

/** A Session over the Coder workspace's shell: bash with shell integration, under a nonce of its own. */
export async function openSession(
  request: SessionRequest,
  ports: { workspace: ReadyWorkspace; home: Home; ids: Ids },
  signal: AbortSignal,
): Promise<Session> {
  const nonce = ports.ids.hex(16);
  const exportLines = Object.entries(request.exports).map(
    ([name, value]) => `export ${name}=${shellQuote(value)}`,
  );
  const directory = shellQuote(request.directory);
  const enter = `mkdir -p -- ${directory} && cd -- ${directory}`;
  const script = [shellIntegrationScript(nonce), ...exportLines, enter, ""].join("\n");
  await writeControlFile(ports.workspace, request.rcFile, script, signal);
  const terminal = ports.workspace.terminal({ rcFile: request.rcFile });
  return createSession(ports.home, { ...terminal, name: request.name, shellIntegration: { nonce } });
}

/** Writes a file of ours into the Coder workspace, or fails with CONTROL_FILE_FAILED. */
export async function writeControlFile(
  workspace: ReadyWorkspace,
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await writeWorkspaceFile(workspace, path, Buffer.from(text), {}, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new OperationalError<TriageErrorCode>({
      code: "CONTROL_FILE_FAILED",
      message: `write ${path} into the Coder workspace: ${error instanceof Error ? error.message : String(error)}`,
      remedy: "Check the Coder workspace's disk space and connection; the next batch tries the issue again.",
      cause: error,
    });
  }
}
