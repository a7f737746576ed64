import type { RenderWaitCondition, RenderWaitResult } from "../wait/index.ts";
import type { DetailedSnapshot, SemanticSnapshot } from "../screen/index.ts";
import type { SessionExit, SessionStatus } from "../home/index.ts";
import type { EventRange, RunOptions, WaitedRunResult, WaitOptions } from "../run/index.ts";

/** How to start a Session. The child inherits nothing from the host's environment: `env` is its whole environment. */
export interface SessionSpec {
  /** argv; the program is looked up in `env.PATH`. */
  command: readonly [string, ...string[]];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Default 120 × 40. */
  cols?: number;
  rows?: number;
  name?: string;
  /**
   * false keeps typed text, which may contain secrets, out of the Event Log; the program's echo is still logged as output.
   * Default true.
   */
  logsInput?: boolean;
  /**
   * false leaves terminal queries in the output unanswered: for a shell that shows output of programs that have no terminal,
   * where an answer would be typed into the shell. Default true.
   */
  answersQueries?: boolean;
  /** Bytes that the Event Log may hold, at least 8 MiB; above that its middle is dropped. Default 256 MiB. */
  maxLogBytes?: number;
  /**
   * Ends the child, with SIGHUP first, after this many milliseconds without input and output; the manifest has the reason.
   * Default never.
   */
  idleTimeoutMs?: number;
  /** TERM of the child; default xterm-256color. */
  term?: string;
  /**
   * Set this if the child (or the remote shell it reaches) was started with `shellIntegrationScript(nonce)`, or to `automatic` to
   * start an interactive bash or zsh with the prompt hooks.
   */
  shellIntegration?: { nonce: string } | "automatic";
}

/**
 * A Session hosted in this process. It keeps a terminal alive over many commands (A1). Input methods resolve with the sequence of
 * the event when it is in the Event Log; if the Session is not commandable they reject with SESSION_NOT_RUNNING or
 * SESSION_ALREADY_DESTROYED.
 */
export interface Session extends AsyncDisposable {
  readonly id: string;
  /** `<home>/sessions/<id>` */
  readonly directory: string;
  readonly pid: number;
  status(): SessionStatus;
  /** Resolves when the child has exited and its last output is in the Event Log. */
  readonly exited: Promise<SessionExit>;
  lastSeq(): number;
  /**
   * Starts a Waited Run (A15) and resolves with how it ended (A16). Runs of one Session are serialised. An abort leaves the
   * command running.
   */
  run(commandLine: string, options: RunOptions): Promise<WaitedRunResult>;
  type(text: string): Promise<number>;
  /** Bracketed if the screen has enabled bracketed paste. */
  paste(text: string): Promise<number>;
  /** Key names such as `Enter`, `Escape`, `Ctrl+C`, `Up`. */
  sendKeys(keys: readonly string[]): Promise<number>;
  mark(label: string): Promise<number>;
  resize(cols: number, rows: number): Promise<number>;
  /** Sends the signal to the foreground process group. */
  signal(name: NodeJS.Signals): Promise<number>;
  wait(condition: RenderWaitCondition, options: WaitOptions): Promise<RenderWaitResult>;
  snapshot(): Promise<SemanticSnapshot>;
  /** Like `snapshot`, with cells, modes and scrollback. */
  detailedSnapshot(): Promise<DetailedSnapshot>;
  /** Plain text (escape sequences removed) of the output in a range, cut to the last `maxBytes` bytes. */
  readOutput(range: EventRange, maxBytes: number): Promise<string>;
  /** Sends SIGHUP, then SIGKILL to the process group after a short grace; does not fail if the child has already exited. */
  destroy(options?: { force?: boolean }): Promise<SessionStatus>;
}
