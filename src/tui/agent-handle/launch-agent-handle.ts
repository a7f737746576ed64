import { createSession, type Home, restartSession, type Session, type SessionSpec } from "agent-tty";
import type { Clock } from "agent-tty/kit";
import { alreadyExited, notExited } from "./handle-error.ts";
import {
  agentHandleChangedAtMs,
  type AgentHandleEvent,
  type AgentHandleFacts,
  agentHandleState,
  type AgentHandleState,
  newAgentHandle,
  nextSilenceLimitMs,
  SILENCE_DEFAULTS,
  type SilenceTimings,
  transitionAgentHandle,
} from "./handle-state.ts";
import { stopProgram } from "./stop-program.ts";
import { type TerminalWatch, watchTerminal } from "./watch-terminal.ts";

export interface AgentHandleConfig extends Omit<SessionSpec, "cwd"> {
  /** L10: the root of the checkout that the program works on. */
  checkout: string;
  timings?: SilenceTimings;
  /** L12: between SIGTERM and SIGKILL; default 100. */
  stopGraceMs?: number;
}

/** L1: a program in a terminal. The program is its terminal: nothing here knows which one it is. */
export interface AgentHandle extends AsyncDisposable {
  readonly config: AgentHandleConfig;
  /** L10: its first and only terminal; another object after a restart, the same Session. */
  readonly terminal: Session;
  readonly state: AgentHandleState;
  /** On the clock's wall time. */
  readonly stateChangedAtMs: number;
  /** Calls back on every change of the type of state; the listener must not throw. */
  subscribe(listener: (state: AgentHandleState) => void): Disposable;
  /** L11: the same command in the same Session, behind a separator. Rejects with AGENT_HANDLE_NOT_EXITED, or as restartSession. */
  restart(): Promise<void>;
  /** L12: resolves once it has exited. Rejects with AGENT_HANDLE_EXITED or AGENT_HANDLE_NOT_STOPPED. */
  stop(): Promise<void>;
}

/** Rejects as createSession does. Dispose it (`await using`): that ends the program. */
export async function launchAgentHandle(home: Home, config: AgentHandleConfig): Promise<AgentHandle> {
  const { checkout, timings: _timings, stopGraceMs: _grace, ...spec } = config;
  const session = await createSession(home, { ...spec, cwd: checkout });
  return new LiveAgentHandle(home, config, session);
}

const STOP_GRACE_MS = 100;

class LiveAgentHandle implements AgentHandle {
  readonly config: AgentHandleConfig;
  readonly #home: Home;
  readonly #clock: Clock;
  readonly #timings: SilenceTimings;
  readonly #listeners = new Set<(state: AgentHandleState) => void>();
  #session: Session;
  #facts: AgentHandleFacts;
  #told: AgentHandleState["type"] = "starting";
  #timer: Disposable | null = null;
  #watch: TerminalWatch;

  constructor(home: Home, config: AgentHandleConfig, session: Session) {
    this.config = config;
    this.#home = home;
    this.#clock = home.clock;
    this.#timings = config.timings ?? SILENCE_DEFAULTS;
    this.#session = session;
    this.#facts = newAgentHandle(this.#clock.nowMs());
    this.#watch = this.#watchFrom(0);
    this.#tell();
  }

  get terminal(): Session {
    return this.#session;
  }

  get state(): AgentHandleState {
    return agentHandleState(this.#facts, this.#clock.nowMs(), this.#timings);
  }

  get stateChangedAtMs(): number {
    return agentHandleChangedAtMs(this.#facts, this.#clock.nowMs(), this.#timings);
  }

  subscribe(listener: (state: AgentHandleState) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async restart(): Promise<void> {
    const { state } = this;
    if (state.type !== "exited") throw notExited(state.type);
    await this.#watch[Symbol.asyncDispose]();
    // Its host lets go of an exited Session without destroying it.
    await this.#session[Symbol.asyncDispose]();
    const { env, logsInput, shellIntegration, idleTimeoutMs } = this.config;
    this.#session = await restartSession(this.#home, this.#session.id, {
      env,
      ...(logsInput === undefined ? {} : { logsInput }),
      ...(shellIntegration === undefined ? {} : { shellIntegration }),
      ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
    });
    this.#happen({ type: "restarted", atMs: this.#clock.nowMs() });
    // What is on the screen up to here is history and its separator.
    this.#watch = this.#watchFrom(this.#session.lastSeq());
  }

  async stop(): Promise<void> {
    const { state } = this;
    if (state.type === "exited") throw alreadyExited(state.code);
    await stopProgram(this.#session, this.#clock, this.config.stopGraceMs ?? STOP_GRACE_MS);
    await this.#watch.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    await this.#watch[Symbol.asyncDispose]();
    await this.#session[Symbol.asyncDispose]();
  }

  #watchFrom(afterSeq: number): TerminalWatch {
    return watchTerminal(this.#session, afterSeq, {
      output: () => this.#happen({ type: "output", atMs: this.#clock.nowMs() }),
      exited: (code) => this.#happen({ type: "exited", code, atMs: this.#clock.nowMs() }),
    });
  }

  #happen(event: AgentHandleEvent): void {
    this.#facts = transitionAgentHandle(this.#facts, event, this.#timings);
    this.#tell();
  }

  #tell(): void {
    this.#timer?.[Symbol.dispose]();
    const nowMs = this.#clock.nowMs();
    const limitMs = nextSilenceLimitMs(this.#facts, nowMs, this.#timings);
    this.#timer =
      limitMs === null ? null : this.#clock.schedule(Math.floor(limitMs - nowMs) + 1, () => this.#tell());
    const { state } = this;
    if (state.type === this.#told) return;
    this.#told = state.type;
    for (const listener of this.#listeners) listener(state);
  }
}
