import { createSession, type Home, type Session, shellIntegrationScript } from "agent-tty";
import { type Ids, messageOf, OperationalError } from "agent-tty/kit";
import {
  type FileToWrite,
  type ReadyWorkspace,
  shellQuote,
  writeWorkspaceFiles,
} from "../../workspaces/index.ts";
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
  /** Written over the same connection as the rc file. */
  files: readonly ControlFile[];
}

/** A file of ours inside the Coder workspace; `path` is absolute. */
export interface ControlFile {
  path: string;
  text: string;
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
  await writeControlFiles(
    ports.workspace,
    [{ path: request.rcFile, text: script }, ...request.files],
    signal,
  );
  const terminal = ports.workspace.terminal({ rcFile: request.rcFile });
  return createSession(ports.home, { ...terminal, name: request.name, shellIntegration: { nonce } });
}

/** Or fails with CONTROL_FILE_FAILED. */
async function writeControlFiles(
  workspace: ReadyWorkspace,
  files: readonly [ControlFile, ...ControlFile[]],
  signal: AbortSignal,
): Promise<void> {
  const toWrite = ({ path, text }: ControlFile): FileToWrite => ({
    path,
    bytes: Buffer.from(text),
    executable: false,
  });
  const [first, ...others] = files;
  try {
    await writeWorkspaceFiles(workspace, [toWrite(first), ...others.map(toWrite)], signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new OperationalError<TriageErrorCode>({
      code: "CONTROL_FILE_FAILED",
      message: `prepare the Coder workspace: ${messageOf(error)}`,
      remedy: "Check the Coder workspace's disk space and connection; the next batch tries the issue again.",
      cause: error,
    });
  }
}
