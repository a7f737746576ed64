import { rm } from "node:fs/promises";
import type { Home, SessionManifest } from "../home/index.ts";
import { EventLogWriter, type OpenLogFile, openLogFile } from "../log/index.ts";
import { nodePtySpawner, type Pty, type SpawnPty } from "../pty/index.ts";
import { readProcess } from "../processes/index.ts";
import { createLateScreen } from "../screen/index.ts";
import { invalidInput } from "./engine-error.ts";
import { HostedSession } from "./hosted-session.ts";
import { checkLabel, checkSize } from "./input-limits.ts";
import type { Session, SessionSpec } from "./session.ts";
import { type ProgramSpec, SessionReports, startProgram } from "./start-program.ts";

const DEFAULT_COLS = 120;
const DEFAULT_ROWS = 40;
const DEFAULT_MAX_LOG_BYTES = 256 * 1024 * 1024;
const MIN_MAX_LOG_BYTES = 8 * 1024 * 1024;
const DEFAULT_TERM = "xterm-256color";

/**
 * Starts a Session hosted in this process. Rejects with SPAWN_PROGRAM_MISSING, SPAWN_DIRECTORY_MISSING, SPAWN_FAILED,
 * INVALID_INPUT, EVENT_LOG_DISK_FULL or EVENT_LOG_FAILED, and then leaves nothing behind. Dispose it (`await using`): that ends the
 * child.
 */
export async function createSession(
  home: Home,
  spec: SessionSpec,
  spawn: SpawnPty = nodePtySpawner(home.clock),
  openFile: OpenLogFile = openLogFile,
): Promise<Session> {
  const [cols, rows] = [spec.cols ?? DEFAULT_COLS, spec.rows ?? DEFAULT_ROWS];
  checkSize(cols, rows);
  if (spec.name !== undefined && spec.name !== null) checkLabel("name", spec.name);
  const maxBytes = logLimit(spec.maxLogBytes);
  const id = home.ids.ulid();
  const directory = await home.createSessionDirectory(id);
  const reports = new SessionReports();
  let session: HostedSession | null = null;
  const log = await EventLogWriter.open({
    directory,
    clock: home.clock,
    openFile,
    logsInput: spec.logsInput ?? true,
    maxBytes,
    ...reports.ofLog,
  }).catch(async (error: unknown) => {
    await rm(directory, { recursive: true, force: true });
    throw error;
  });
  try {
    const term = spec.term ?? DEFAULT_TERM;
    const program = { ...spec, cols, rows, term };
    log.append({ type: "started", wallMs: home.clock.nowMs(), cols, rows, term });
    const started = await startProgram(home, { sessionId: id, directory, spec: program }, spawn, reports);
    const manifest = firstManifest(home, id, program, started.pty);
    const onReply = spec.answersQueries === false ? reports.onQuery : reports.onReply;
    const screen = createLateScreen({ cols, rows, onReply }, home.clock);
    const idleTimeoutMs = spec.idleTimeoutMs ?? null;
    const parts = { home, manifest, directory, ...started, log, screen, idleTimeoutMs };
    session = reports.reachNow(new HostedSession(parts));
    await session.opened();
    // Rejects with a disk error from before the Session existed.
    await log.flush();
    return session;
  } catch (error) {
    await session?.destroy({ force: true }).catch(() => undefined);
    await log.close();
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the limit. Throws INVALID_INPUT for a limit so small that no tail would be left. */
export function logLimit(maxLogBytes = DEFAULT_MAX_LOG_BYTES): number {
  if (maxLogBytes >= MIN_MAX_LOG_BYTES) return maxLogBytes;
  throw invalidInput(
    `cannot keep an Event Log of at most ${maxLogBytes} bytes`,
    `allow at least ${MIN_MAX_LOG_BYTES} bytes`,
  );
}

/** Returns the manifest of a Session that has just started. */
export function firstManifest(home: Home, sessionId: string, spec: ProgramSpec, pty: Pty): SessionManifest {
  const now = new Date(home.clock.nowMs()).toISOString();
  return {
    version: 1,
    sessionId,
    name: spec.name ?? null,
    status: "running",
    command: [...spec.command],
    cwd: spec.cwd,
    environmentNames: Object.keys(spec.env).toSorted(),
    term: spec.term,
    cols: spec.cols,
    rows: spec.rows,
    createdAt: now,
    updatedAt: now,
    hostPid: process.pid,
    hostStartTicks: readProcess(process.pid)?.startTicks ?? null,
    childPid: pty.pid,
    exit: null,
    failure: null,
  };
}
