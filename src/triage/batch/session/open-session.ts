import { createSession, type Home, type Session, shellIntegrationScript } from "agent-tty";
import { type Ids, messageOf, OperationalError, shellQuote } from "agent-tty/kit";
import {
  type FileToWrite,
  type ReadyWorkspace,
  throughLoss,
  type WorkspaceErrorCode,
  writeFilesForProgram,
  writeWorkspaceFiles,
} from "../../../workspaces/index.ts";
import type { BatchPorts } from "../batch-context.ts";
import type { BatchSettings } from "../settings.ts";
import type { ControlFile } from "../../triage-agent.ts";
import type { TriageErrorCode } from "../triage-error.ts";

export interface SessionRequest {
  /** Shown by `agent-tty list`. */
  name: string;
  /** Absolute paths inside the Coder workspace. */
  rcFile: string;
  /** Where the shell starts; created if it does not exist. */
  directory: string;
  /** Exported in the Session's shell. Must not be secret, because it is written to a file there. */
  exports: Readonly<Record<string, string>>;
  /** Whether terminal queries in its output are answered, for programs that use the terminal. */
  answersQueries: boolean;
  /** Written over the same connection as the rc file. */
  files: readonly ControlFile[];
  /**
   * The program to look for over the same connection. If the Coder workspace lacks it, nothing is written and no Session is
   * opened.
   */
  needs?: { program: string; missing: () => Error };
}

/** Returns where a Session of this batch is kept, and how much of it. */
export function sessionPorts(
  workspace: ReadyWorkspace,
  {
    ports,
    settings,
  }: { ports: Pick<BatchPorts, "sessionHome" | "ids">; settings: Pick<BatchSettings, "sessionLogBytes"> },
): SessionPorts {
  return { workspace, home: ports.sessionHome, ids: ports.ids, maxLogBytes: settings.sessionLogBytes };
}

/**
 * Opens a Session over the Coder workspace's shell: bash with shell integration and a nonce of its own. Resolves once the shell
 * shows its prompt, because the connection may be lost before that; in that case the Session is opened again under the exchange
 * policy. Rejects with WORKSPACE_LOST, CONTROL_FILE_FAILED or the signal's reason.
 */
export function openSession(
  request: SessionRequest,
  ports: SessionPorts,
  signal: AbortSignal,
): Promise<Session> {
  return throughLoss(ports.workspace, signal, () => openOnce(request, ports, signal));
}

export interface SessionPorts {
  workspace: ReadyWorkspace;
  home: Home;
  ids: Ids;
  /** Above this size, the middle of the Session's Event Log is dropped. */
  maxLogBytes: number;
}

async function openOnce(request: SessionRequest, ports: SessionPorts, signal: AbortSignal): Promise<Session> {
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
  const session = await createSession(ports.home, {
    ...terminal,
    name: request.name,
    answersQueries: request.answersQueries,
    maxLogBytes: ports.maxLogBytes,
    shellIntegration: { nonce },
  });
  try {
    await untilPrompt(session, ports.workspace, signal);
    return session;
  } catch (error) {
    await session.destroy({ force: true });
    throw error;
  }
}

/** The width of the shell integration's prompt, `$ `. */
const PROMPT_COLUMNS = 2;

/** Waits for the shell's prompt. A connection may hang or be refused, and only the prompt proves that it works. */
async function untilPrompt(
  session: Session,
  { connection }: ReadyWorkspace,
  signal: AbortSignal,
): Promise<void> {
  if (connection === null) return;
  const { connectTimeoutMs } = connection;
  const seen = await session.wait(
    { cursorCol: PROMPT_COLUMNS },
    { callerTimeoutMs: connectTimeoutMs, signal },
  );
  switch (seen.type) {
    case "matched":
      return;
    case "timed-out":
      throw notConnected(`no prompt within ${connectTimeoutMs} ms; the screen shows: ${seen.visibleText}`);
    case "interrupted":
      throw notConnected(`its terminal ended (${JSON.stringify(seen.exit)}): ${seen.visibleText}`);
    default:
      throw seen satisfies never;
  }
}

function notConnected(seen: string): OperationalError<WorkspaceErrorCode> {
  return new OperationalError<WorkspaceErrorCode>({
    code: "WORKSPACE_LOST",
    message: `open a Session in the Coder workspace: ${seen.replaceAll(/\s+/g, " ").trim().slice(0, 500)}`,
    remedy: "Try `coder ssh` from this machine; the next batch tries the issue again.",
  });
}

/**
 * Writes the files. Returns false if the Coder workspace lacks the program. Rejects with CONTROL_FILE_FAILED if it does not
 * accept the files.
 */
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
    if (!isRefusal(error)) throw error;
    throw new OperationalError<TriageErrorCode>({
      code: "CONTROL_FILE_FAILED",
      message: `prepare the Coder workspace: ${messageOf(error)}`,
      remedy: "Check the Coder workspace's disk space and permissions; the next batch tries the issue again.",
      cause: error,
    });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof OperationalError && error.code === "WORKSPACE_FILE_REFUSED";
}
