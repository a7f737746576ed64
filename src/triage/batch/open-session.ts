import { createSession, type Home, type Session, shellIntegrationScript } from "agent-tty";
import { type Ids, messageOf, OperationalError } from "agent-tty/kit";
import {
  type FileToWrite,
  type ReadyWorkspace,
  shellQuote,
  writeFilesForProgram,
  writeWorkspaceFiles,
} from "../../workspaces/index.ts";
import type { ControlFile } from "../triage-agent.ts";
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
  /** Looked for over that connection: where the Coder workspace lacks it, nothing is written and no Session is opened. */
  needs?: { program: string; missing: () => Error };
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
  const files = [{ path: request.rcFile, text: script }, ...request.files] as const;
  const { needs } = request;
  const isThere = await writeControlFiles(ports.workspace, needs?.program ?? null, files, signal);
  if (needs !== undefined && !isThere) throw needs.missing();
  const terminal = ports.workspace.terminal({ rcFile: request.rcFile });
  return createSession(ports.home, { ...terminal, name: request.name, shellIntegration: { nonce } });
}

/** Or fails with CONTROL_FILE_FAILED. False where the Coder workspace lacks the program. */
async function writeControlFiles(
  workspace: ReadyWorkspace,
  program: string | null,
  files: readonly [ControlFile, ...ControlFile[]],
  signal: AbortSignal,
): Promise<boolean> {
  const toWrite = ({ path, text }: ControlFile): FileToWrite => ({
    path,
    bytes: Buffer.from(text),
    executable: false,
  });
  const [first, ...others] = files;
  try {
    const all = [toWrite(first), ...others.map(toWrite)] as const;
    if (program !== null) return await writeFilesForProgram(workspace, program, all, signal);
    await writeWorkspaceFiles(workspace, all, signal);
    return true;
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
