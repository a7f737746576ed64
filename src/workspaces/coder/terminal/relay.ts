import type { Clock } from "agent-tty/kit";
import { type ConnectionEnd, type OpenConnection, runConnection } from "./connection.ts";
import { EndMarkFilter } from "./end-mark-filter.ts";
import { PendingFrames } from "./pending-frames.ts";
import type { RelaySpec } from "./relay-spec.ts";
import { shellExitCode } from "./exit-codes.ts";

export interface RelayPorts {
  clock: Clock;
  /** Starts one connection that runs the attach command, with the output from byte `offset` on. */
  connect: (offset: number, size: TerminalSize) => OpenConnection;
  /** Returns the state according to the Coder deployment. `unknown` does not count as `ended` (O13). */
  workspaceState: () => Promise<"started" | "ended" | "unknown">;
  /** Writes output to the Session. */
  write: (bytes: Buffer) => void;
  /** Called when some of the typed input has been carried out. */
  onTaken: () => void;
  size: () => TerminalSize;
}

export interface TerminalSize {
  cols: number;
  rows: number;
}

/** The exit status of a lost connection, the same as that of `coder ssh` itself. */
export const LOST = 255;
const QUIT_GRACE_MS = 300;

/**
 * Holds one terminal inside a Coder workspace over as many connections as necessary, because a lost connection is not the death
 * of a Triage Agent (T12). Output continues at the exact byte at which a connection was lost, and typed input is carried out
 * once, so that the Session notices nothing.
 */
export class TerminalRelay {
  readonly #spec: RelaySpec;
  readonly #ports: RelayPorts;
  readonly #frames = new PendingFrames();
  readonly #filter: EndMarkFilter;
  #connection: OpenConnection | null = null;
  #send: ((line: string) => void) | null = null;
  #isQuitting = false;
  #quitDone: () => void = () => undefined;

  constructor(spec: RelaySpec, ports: RelayPorts) {
    this.#spec = spec;
    this.#ports = ports;
    this.#filter = new EndMarkFilter(spec.remote.nonce);
  }

  /** Returns whether too much typed input is not acknowledged yet; then type nothing more until `onTaken`. */
  get isFull(): boolean {
    return this.#frames.isFull;
  }

  type(bytes: Buffer): void {
    for (const line of this.#frames.type(withoutAnswersOfTmux(bytes))) this.#send?.(line);
  }

  resize({ cols, rows }: TerminalSize): void {
    this.#send?.(this.#frames.resize(cols, rows));
  }

  /**
   * Ends the remote terminal, if it can be reached now, and the connection, which would outlive this process if it hangs. No
   * connection is opened afterwards.
   */
  async quit(): Promise<void> {
    this.#isQuitting = true;
    const done = new Promise<void>((resolve) => (this.#quitDone = resolve));
    this.#send?.(this.#frames.quit());
    await Promise.race([done, this.#ports.clock.sleep(QUIT_GRACE_MS)]);
    this.#connection?.kill();
  }

  /**
   * Runs the terminal to its end. Resolves with the exit status of the remote shell (`shellExitCode`), or with 255 if the
   * terminal is lost.
   */
  async run(): Promise<number> {
    const { clock } = this.#ports;
    const { limits } = this.#spec;
    let [offset, reattaches, delayMs, seen] = [0, 0, limits.firstDelayMs, ""];
    let lastAttachedMs = clock.monotonicMs();
    while (!this.#isQuitting) {
      const { end, wasAttached, offset: reached } = await this.#connectOnce(offset);
      const hasProgress = reached > offset;
      offset = reached;
      if (this.#isQuitting) break;
      switch (end.type) {
        case "ended":
          return shellExitCode(end.exitCode);
        case "gone":
          return this.#lost("the terminal inside the Coder workspace is gone");
        case "behind":
          // The terminal printed faster than the connection transfers; the oldest bytes are skipped.
          if (hasProgress) continue;
          break;
        case "lost":
          seen = end.seen;
          break;
      }
      if (wasAttached)
        [lastAttachedMs, delayMs, reattaches] = [clock.monotonicMs(), limits.firstDelayMs, reattaches + 1];
      if (reattaches > limits.maxReattaches)
        return this.#lost(`the connection was lost ${reattaches} times; last seen: ${seen}`);
      if (clock.monotonicMs() - lastAttachedMs > limits.graceMs)
        return this.#lost(`no connection for ${Math.round(limits.graceMs / 1000)} s; last seen: ${seen}`);
      if ((await this.#ports.workspaceState()) === "ended")
        return this.#lost("the Coder workspace was stopped or deleted");
      await clock.sleep(delayMs);
      delayMs = Math.min(delayMs * 2, limits.maxDelayMs);
    }
    this.#quitDone();
    return LOST;
  }

  async #connectOnce(offset: number): Promise<{ end: ConnectionEnd; wasAttached: boolean; offset: number }> {
    const { clock, connect, size, write } = this.#ports;
    using silence = new AbortOnSilence(clock, this.#spec.limits.silenceMs);
    const connection = connect(offset, size());
    this.#connection = connection;
    const result = await runConnection(connection, {
      offset,
      nonce: this.#spec.remote.nonce,
      filter: this.#filter,
      write,
      onHeard: () => silence.onHeard(),
      onAttached: (acknowledged) => {
        this.#onTaken(acknowledged);
        this.#send = connection.send;
        for (const line of this.#frames.lines()) connection.send(line);
      },
      onAcknowledged: (sequence) => this.#onTaken(sequence),
      signal: silence.signal,
    });
    this.#send = null;
    if (result.end.type === "ended") {
      connection.send(this.#frames.quit());
      await Promise.race([connection.closed, clock.sleep(QUIT_GRACE_MS)]);
      connection.close();
    }
    this.#connection = null;
    return result;
  }

  #onTaken(sequence: number): void {
    this.#frames.acknowledge(sequence);
    this.#ports.onTaken();
  }

  #lost(why: string): number {
    this.#ports.write(Buffer.from(`\r\n[afk-triage] ${why}\r\n`));
    return LOST;
  }
}

/** Aborts when nothing was heard for a given time. */
class AbortOnSilence {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #controller = new AbortController();
  #deadline: Disposable;

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#deadline = this.#arm();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  onHeard(): void {
    this.#deadline[Symbol.dispose]();
    this.#deadline = this.#arm();
  }

  [Symbol.dispose](): void {
    this.#deadline[Symbol.dispose]();
  }

  #arm(): Disposable {
    return this.#clock.schedule(this.#limitMs, () =>
      this.#controller.abort(new Error(`nothing heard for ${this.#limitMs} ms`)),
    );
  }
}

/**
 * Matches replies that tmux has already sent: device attributes, device status, cursor position. The Session's own terminal
 * answers the same queries, and a program that gets two answers takes the second for typed text. Modified F3 has the same form as
 * a cursor position in the first row, so replies with that row are not matched.
 */
const ANSWERED_BY_TMUX = /\x1b\[[?>]\d[\d;]*c|\x1b\[0n|\x1b\[(?!1;[2-8]R)\d+;\d+R/g;

/**
 * Returns typed bytes without the replies that tmux has already sent. One read may have a reply together with other replies, or
 * with what is typed next.
 */
function withoutAnswersOfTmux(typed: Buffer): Buffer {
  return Buffer.from(typed.toString("latin1").replaceAll(ANSWERED_BY_TMUX, ""), "latin1");
}
