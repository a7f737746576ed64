import type { RenderWaitCondition, RenderWaitResult } from "../wait/index.ts";
import type { DetailedSnapshot, SemanticSnapshot } from "../screen/index.ts";
import type { SessionExit, SessionStatus } from "../home/index.ts";
import type { EventRange, WaitedRunResult, WaitOptions } from "../run/index.ts";

/** How to start a Session. Nothing of the host's environment is inherited: `env` is the child's whole environment. */
export interface SessionSpec {
  /** argv; the program is looked up in `env.PATH`. */
  command: readonly [string, ...string[]];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Default 120 × 40. */
  cols?: number;
  rows?: number;
  name?: string;
  /** false keeps what is typed, secrets among it, out of the Event Log; its echo is output. Default true. */
  logsInput?: boolean;
  /**
   * false leaves terminal queries in the output unanswered: for a shell that shows output of programs that have no terminal, where
   * an answer would be typed into the shell. Default true.
   */
  answersQueries?: boolean;
  /** Bytes that the Event Log may hold, at least 8 MiB; above that its middle is dropped. Default 256 MiB. */
  maxLogBytes?: number;
  /** Ends the child politely after this long without input and output; the reason is in the manifest. Default never. */
  idleTimeoutMs?: number;
  /** TERM of the child; default xterm-256color. */
  term?: string;
  /**
   * Set when the child (or the remote shell it reaches) was started with `shellIntegrationScript(nonce)`, or to
   * `automatic` to have an interactive bash started with it.
   */
  shellIntegration?: { nonce: string } | "automatic";
}

/**
 * A Session hosted in this process (A1). Input methods resolve when the event is in the Event Log and give its
 * sequence; on a Session that is not commandable they reject with SESSION_NOT_RUNNING or SESSION_ALREADY_DESTROYED.
 */
export interface Session extends AsyncDisposable {
  readonly id: string;
  /** `<home>/sessions/<id>` */
  readonly directory: string;
  readonly pid: number;
  status(): SessionStatus;
  /** Resolves once the child has exited and its last output is in the Event Log. */
  readonly exited: Promise<SessionExit>;
  lastSeq(): number;
  /** A Waited Run (A15, A16). Runs of one Session are serialised. An abort leaves the command running. */
  run(commandLine: string, options: WaitOptions): Promise<WaitedRunResult>;
  type(text: string): Promise<number>;
  /** Bracketed when the screen has asked for bracketed paste. */
  paste(text: string): Promise<number>;
  /** Key names such as `Enter`, `Escape`, `Ctrl+C`, `Up`. */
  sendKeys(keys: readonly string[]): Promise<number>;
  mark(label: string): Promise<number>;
  resize(cols: number, rows: number): Promise<number>;
  /** To the foreground process group. */
  signal(name: NodeJS.Signals): Promise<number>;
  wait(condition: RenderWaitCondition, options: WaitOptions): Promise<RenderWaitResult>;
  snapshot(): Promise<SemanticSnapshot>;
  /** The same with cells, modes and scrollback. */
  detailedSnapshot(): Promise<DetailedSnapshot>;
  /** Plain text (escape sequences removed) of the output in a range, cut to the last `maxBytes` bytes. */
  readOutput(range: EventRange, maxBytes: number): Promise<string>;
  /** Polite (SIGHUP), then SIGKILL to the process group after a short grace; tolerant of an exited child. */
  destroy(options?: { force?: boolean }): Promise<SessionStatus>;
}
