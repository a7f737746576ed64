import { rmSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { type Home, hostCrashPath, openHome, PRIVATE_FILE_MODE } from "../home/index.ts";
import { createSession, restartSession, type Session } from "../host/index.ts";
import { systemClock, systemIds } from "../kit/index.ts";
import { failureOf } from "./client.ts";
import { type HostReport, type HostSpec, hostSpecSchema } from "./host-spec.ts";
import { serveSession, type SessionServer } from "./session-server.ts";

/**
 * Runs a host process from its start to its exit: reads its spec from stdin, starts the Session, reports that on stdout and
 * serves the Session. Exits when the child has exited, the Event Log is complete and every client has its answer.
 */
export async function runHostProcess(): Promise<void> {
  // Without this flag V8 would wake an idle process for ten seconds after its start, and after each burst, to collect little
  // garbage.
  setFlagsFromString("--no-memory-reducer");
  // The requesting process may exit at any time; messages to it are then dropped.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  let session: Session;
  let server: SessionServer;
  try {
    const given = await text(process.stdin);
    // This host was started ahead of time for a command that failed or ended before it had a spec.
    if (given === "") process.exit(1);
    const spec = hostSpecSchema.parse(JSON.parse(given));
    const ids = systemIds(systemClock);
    const home = await openHome({ directory: spec.homeDirectory, clock: systemClock, ids });
    session = await startSession(home, spec.start);
    server = await serve(home, session);
  } catch (error) {
    await report(failed(error));
    process.exit(1);
  }
  surviveOrTell(session);
  const { id: sessionId, pid } = session;
  await report({ type: "ready", sessionId, status: session.status(), pid, hostPid: process.pid });
  await session.exited;
  await server.answered();
  // A full disk may refuse the last files. The manifest has the reason, and nobody is left to be told.
  await Promise.allSettled([session[Symbol.asyncDispose]()]);
  await server[Symbol.asyncDispose]();
  process.exit(0);
}

function startSession(home: Home, start: HostSpec["start"]): Promise<Session> {
  const { env, logsInput, idleTimeoutMs, maxLogBytes } = start;
  const hosting = {
    env,
    logsInput,
    maxLogBytes,
    ...(idleTimeoutMs === null ? {} : { idleTimeoutMs }),
    shellIntegration: "automatic" as const,
  };
  if (start.type === "restart") return restartSession(home, start.sessionId, hosting);
  const { command, cwd, cols, rows, term, name } = start;
  return createSession(home, {
    command,
    cwd,
    cols,
    rows,
    term,
    ...(name === null ? {} : { name }),
    ...hosting,
  });
}

async function serve(home: Home, session: Session): Promise<SessionServer> {
  try {
    return await serveSession(home, session);
  } catch (error) {
    await session.destroy({ force: true });
    throw error;
  }
}

/**
 * On SIGTERM and SIGINT the host ends the Session. On an uncaught error it writes the reason to a file beside the Event Log and
 * exits at once.
 */
function surviveOrTell(session: Session): void {
  // The file may be left by the host before a restart.
  rmSync(hostCrashPath(session.directory), { force: true });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void session.destroy());
  process.on("SIGHUP", () => undefined);
  process.on("uncaughtException", (error) => {
    const note = `${error.stack ?? error.message}\n`;
    writeFileSync(hostCrashPath(session.directory), note, { mode: PRIVATE_FILE_MODE });
    process.exit(70);
  });
}

function report(said: HostReport): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${JSON.stringify(said)}\n`, () => resolve());
  });
}

function failed(error: unknown): HostReport {
  return { type: "failed", ...failureOf(error) };
}
