import { claimSession, type Home, isHostRunning, readOwner, type SessionManifest } from "../home/index.ts";
import { EventLogWriter, readEvents, repairLog } from "../log/index.ts";
import { nodePtySpawner, type SpawnPty } from "../pty/index.ts";
import { createScreen, type Screen } from "../screen/index.ts";
import { firstManifest, logLimit } from "./create-session.ts";
import { invalidInput, notCommandable } from "./engine-error.ts";
import { HostedSession } from "./hosted-session.ts";
import type { Session, SessionSpec } from "./session.ts";
import { type ProgramSpec, SessionReports, startProgram } from "./start-program.ts";
import { hostedDirectories } from "./session-teardown.ts";

/** Leaves the alternate screen and the modes that the last program may have set: paste, mouse, keys, cursor, colours. */
const RESET_MODES = "\x1b[?1049l\x1b[!p\x1b[?1000;1002;1003;1004;1006;2004;2026;1l\x1b[?25h\x1b>\x1b[0m";

/** Settings that the manifest does not keep, because they may be secret or belong to the host. */
export type RestartOptions = Pick<
  SessionSpec,
  "env" | "logsInput" | "maxLogBytes" | "shellIntegration" | "idleTimeoutMs"
>;

/**
 * Starts a new child in a Session that has exited or failed, with the same command, directory and size. Its screen, scrollback
 * and Event Log continue after a separator (L11). Rejects with SESSION_NOT_FOUND, INVALID_INPUT if the Session is still active or
 * another process holds it, SESSION_ALREADY_DESTROYED, or what createSession rejects with; the Session is unchanged in that case.
 */
export async function restartSession(
  home: Home,
  sessionId: string,
  options: RestartOptions,
  spawn: SpawnPty = nodePtySpawner(home.clock),
): Promise<Session> {
  const directory = home.sessionDirectory(sessionId);
  await requireOver(home, sessionId, directory);
  const claim = claimSession(directory, home.ids);
  if (claim === "busy" || claim === "none") throw held(sessionId, "another process removes or restarts it");
  try {
    // Another process may have restarted it before the claim; under the claim none can.
    const manifest = await requireOver(home, sessionId, directory);
    const session = await startAgain(home, manifest, options, spawn);
    claim.handOver();
    return session;
  } catch (error) {
    try {
      claim.release();
    } catch {
      // Report the first error. The next gc or restart takes over the claim of a dead process.
    }
    throw error;
  }
}

async function requireOver(home: Home, sessionId: string, directory: string): Promise<SessionManifest> {
  const manifest = await home.readManifest(sessionId);
  if (manifest.status === "destroyed") throw notCommandable(sessionId, manifest.status);
  if (manifest.status !== "exited" && manifest.status !== "failed") {
    throw held(sessionId, `it is ${manifest.status}`);
  }
  const owner = readOwner(directory);
  const isHostedElsewhere = owner !== null && owner.hostPid !== process.pid && isHostRunning(owner);
  if (isHostedElsewhere || hostedDirectories.has(directory))
    throw held(sessionId, "its host has not closed it yet");
  return manifest;
}

async function startAgain(
  home: Home,
  before: SessionManifest,
  options: RestartOptions,
  spawn: SpawnPty,
): Promise<HostedSession> {
  const { sessionId, cols, rows, term, cwd } = before;
  const directory = home.sessionDirectory(sessionId);
  const [program, ...args] = before.command;
  if (program === undefined) throw held(sessionId, "its manifest names no command");
  const spec: ProgramSpec = { ...options, command: [program, ...args], cwd, cols, rows, term };
  const reports = new SessionReports();
  let session: HostedSession | null = null;
  const screen = createScreen({ cols, rows, onReply: reports.onReply });
  await renderHistory(directory, screen);
  const logOptions = {
    directory,
    clock: home.clock,
    logsInput: options.logsInput ?? true,
    maxBytes: logLimit(options.maxLogBytes),
    ...reports.ofLog,
  };
  const log = await EventLogWriter.resume(logOptions, await repairLog(directory));
  try {
    const started = await startProgram(home, { sessionId, directory, spec }, spawn, reports);
    separate(log, screen, spec, home.clock.nowMs());
    const { name, createdAt } = before;
    const manifest = { ...firstManifest(home, sessionId, spec, started.pty), name, createdAt };
    const idleTimeoutMs = options.idleTimeoutMs ?? null;
    const parts = { home, manifest, directory, ...started, log, screen, idleTimeoutMs };
    session = reports.reachNow(new HostedSession(parts));
    await session.opened();
    return session;
  } catch (error) {
    await session?.destroy({ force: true }).catch(() => undefined);
    await log.close();
    throw error;
  }
}

/** Adds the separator, before anything that the new program prints. */
function separate(
  log: EventLogWriter,
  screen: Screen,
  { cols, rows, term }: ProgramSpec,
  wallMs: number,
): void {
  log.append({ type: "restarted", wallMs, cols, rows, term });
  const show = (text: string): void => {
    const bytes = Buffer.from(text);
    screen.write(bytes, log.appendOutput(bytes));
  };
  show(RESET_MODES);
  show(separator(wallMs, cols, lastUsedRow(screen)));
}

async function renderHistory(directory: string, screen: Screen): Promise<void> {
  for await (const { record, bytes } of readEvents(directory, {})) {
    if (record.type === "output") screen.write(bytes, record.seq);
    if (record.type === "started" || record.type === "resize") {
      screen.resize(record.cols, record.rows, record.seq);
    }
  }
  screen.releaseFrame();
}

/** Returns the separator line, placed below everything that the last program left on the screen. */
function separator(wallMs: number, cols: number, row: number): string {
  const title = `── restarted ${new Date(wallMs).toISOString()} `;
  return `\x1b[${row};1H\r\n${title.slice(0, cols).padEnd(Math.min(cols, 80), "─")}\r\n`;
}

/** Returns the number of the last row that contains text or the cursor. Row numbers start at 1. */
function lastUsedRow(screen: Screen): number {
  const { visibleLines, cursor } = screen.snapshot();
  const lastRow = visibleLines.findLastIndex((line) => line !== "");
  return Math.max(lastRow, cursor.row, 0) + 1;
}

function held(sessionId: string, reason: string): Error {
  return invalidInput(
    `cannot restart Session ${sessionId}: ${reason}`,
    "wait for its end or destroy it, or create a new Session",
  );
}
