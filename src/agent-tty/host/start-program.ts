import type { Home } from "../home/index.ts";
import type { Pty, SpawnPty } from "../pty/index.ts";
import { SESSION_MARKER } from "../processes/index.ts";
import { prepareShell, type PreparedShell } from "./prepare-shell.ts";
import type { HostedSession } from "./hosted-session.ts";
import type { SessionSpec } from "./session.ts";

/** A spec in which every option with a default is set. */
export type ProgramSpec = SessionSpec & { cols: number; rows: number; term: string };

/** Receives the reports of a Session's parts. The parts exist before the Session does; reports from before then are dropped. */
export class SessionReports {
  #session: HostedSession | null = null;
  readonly ofLog = {
    onDrain: (): void => this.#session?.onLogDrained(),
    onFailure: (error: Error): void => this.#session?.onLogFailure(error),
  };
  readonly ofTerminal: Parameters<SpawnPty>[1] = {
    output: (bytes) => this.#session?.onOutput(bytes),
    exit: (exit) => this.#session?.onExit(exit),
  };
  readonly onQuery = (): void => this.#session?.onQuery();
  readonly onReply = (reply: string): void => this.#session?.onReply(reply);

  /** Sends later reports to this Session; returns it. */
  reachNow(session: HostedSession): HostedSession {
    this.#session = session;
    return session;
  }
}

export interface StartedProgram extends Pick<PreparedShell, "dialect" | "nonces"> {
  pty: Pty;
}

/**
 * Starts the program of a Session on its terminal, marked as belonging to that Session. Rejects as `spawn` does. The Session has
 * to exist before this turn of the event loop ends, or the program's first output is lost.
 */
export async function startProgram(
  home: Home,
  target: { sessionId: string; directory: string; spec: ProgramSpec },
  spawn: SpawnPty,
  reports: SessionReports,
): Promise<StartedProgram> {
  const { sessionId, directory, spec } = target;
  const { cwd, cols, rows, term } = spec;
  const { command, dialect, nonces, env: shellEnv } = await prepareShell(spec, directory, home.ids);
  const env = { ...spec.env, ...shellEnv, TERM: term, [SESSION_MARKER]: sessionId };
  return { pty: spawn({ command, cwd, env, cols, rows }, reports.ofTerminal), dialect, nonces };
}
