import type { Home } from "../home/index.ts";
import type { Pty, SpawnPty } from "../pty/index.ts";
import { SESSION_MARKER } from "../processes/index.ts";
import { prepareShell, type PreparedShell } from "./prepare-shell.ts";
import type { HostedSession } from "./hosted-session.ts";
import type { SessionSpec } from "./session.ts";

/** A spec with everything chosen that has a default. */
export type ProgramSpec = SessionSpec & { cols: number; rows: number; term: string };

/** The parts of a Session report to this object. They exist before the Session does; reports from before then are dropped. */
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
  readonly onReply = (reply: string): void => this.#session?.onReply(reply);

  /** Gives the Session back that hears them from now on. */
  reachNow(session: HostedSession): HostedSession {
    this.#session = session;
    return session;
  }
}

export interface StartedProgram extends Pick<PreparedShell, "dialect" | "nonces"> {
  pty: Pty;
}

/**
 * The program of a Session on its terminal, marked as that Session's. Rejects as `spawn` does. The Session has to be there
 * before this turn of the event loop ends, or the program's first words are lost.
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
