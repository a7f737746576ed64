import type { Home, SessionExit, SessionManifest, SessionStatus } from "../home/index.ts";
import { STATUS_POLICY } from "../home/index.ts";
import { OperationalError } from "../kit/index.ts";
import type { EventLogWriter } from "../log/index.ts";
import { type ProcessRow, type Pty, readProcess, sessionFamily } from "../pty/index.ts";
import { replayDetailedSnapshot, replaySession } from "../replay/index.ts";
import {
  type EventRange,
  isKnownNoShell,
  plainShell,
  OutputFilter,
  type ShellDialect,
  type WaitedRunResult,
  WaitedRuns,
  type WaitOptions,
} from "../run/index.ts";
import type { DetailedSnapshot, Screen, SemanticSnapshot } from "../screen/index.ts";
import { type RenderWaitCondition, type RenderWaitResult, RenderWaits } from "../wait/index.ts";
import { Checkpointer } from "./checkpointer.ts";
import { becameShell, type HostErrorCode, notAShell } from "./engine-error.ts";
import { checkCommandLine } from "./input-limits.ts";
import { IdleWatch } from "./idle-watch.ts";
import { OutputPump } from "./output-pump.ts";
import { readPlainOutput } from "./read-plain-output.ts";
import type { Session } from "./session.ts";
import { SessionInput } from "./session-input.ts";
import { StatusKeeper } from "./status-keeper.ts";
import { type ChildEnd, endProcesses, killMarkedProcesses, killProcesses, type Mark } from "./teardown.ts";

export interface HostedSessionParts {
  home: Home;
  manifest: SessionManifest;
  directory: string;
  pty: Pty;
  log: EventLogWriter;
  screen: Screen;
  dialect: ShellDialect;
  nonces: readonly string[];
  /** null: it may be silent for ever. */
  idleTimeoutMs: number | null;
}

/** Sessions of this process that are not closed yet: none of them can be restarted. */
export const hostedDirectories = new Set<string>();

/** Ties the child, the Event Log, the screen, the Waited Runs and the Render Waits of one Session together. */
export class HostedSession implements Session {
  readonly id: string;
  readonly directory: string;
  readonly pid: number;
  readonly exited: Promise<SessionExit>;
  readonly #home: Home;
  readonly #pty: Pty;
  readonly #log: EventLogWriter;
  readonly #screen: Screen;
  readonly #checkpoints: Checkpointer;
  readonly #pump: OutputPump;
  readonly #keeper: StatusKeeper;
  readonly #runs: WaitedRuns;
  readonly #waits: RenderWaits;
  readonly #input: SessionInput;
  #resolveExited: (exit: SessionExit) => void = () => undefined;
  readonly #mark: Mark;
  #survivors: readonly ProcessRow[] = [];
  #hasExited = false;
  #closing: Promise<void> | null = null;
  readonly #idle: IdleWatch | null;

  constructor(parts: HostedSessionParts) {
    const { home, manifest, pty, log, screen, dialect } = parts;
    this.id = manifest.sessionId;
    this.directory = parts.directory;
    this.pid = pty.pid;
    this.#mark = { sessionId: this.id, sinceTicks: readProcess(pty.pid)?.startTicks ?? "0" };
    this.#home = home;
    this.#pty = pty;
    this.#log = log;
    this.#screen = screen;
    this.exited = new Promise((resolve) => {
      this.#resolveExited = resolve;
    });
    hostedDirectories.add(this.directory);
    const { idleTimeoutMs } = parts;
    this.#idle =
      idleTimeoutMs === null
        ? null
        : new IdleWatch(home.clock, idleTimeoutMs, () => this.#endIdle(idleTimeoutMs));
    this.#checkpoints = new Checkpointer(parts.directory, log, screen);
    const filter = new OutputFilter(parts.nonces);
    this.#keeper = new StatusKeeper(
      home,
      manifest,
      (status) => void this.#log.append({ type: "status", status }),
    );
    const snapshot = (): SemanticSnapshot => {
      log.seal();
      return { ...screen.snapshot(), seq: screen.frameSeq };
    };
    this.#waits = new RenderWaits({ clock: home.clock, snapshot });
    this.#runs = new WaitedRuns({
      clock: home.clock,
      dialect,
      innerShell: () => pty.innerShell(),
      becameShell: (program) => becameShell(this.id, program),
      innerDialect: (program) => plainShell(program, () => home.ids.hex(8), "inner-command-end"),
      lastSeq: () => log.lastSeq(),
      append: (event) => log.append(event),
      type: (text) => {
        this.#idle?.touch();
        this.#input.write(text, "run");
      },
      expectPostamble: (postamble) => filter.expectPostamble(postamble),
      visibleText: async () => (await this.snapshot()).visibleLines.join("\n").trimEnd(),
    });
    this.#pump = new OutputPump({
      clock: home.clock,
      filter,
      log,
      screen,
      checkpoints: this.#checkpoints,
      onMark: (mark) => this.#runs.onMark(mark),
      onRendered: () => this.#waits.onRendered(),
      pause: () => pty.pause(),
      resume: () => pty.resume(),
    });
    this.#input = new SessionInput({
      sessionId: this.id,
      pty,
      log,
      screen,
      keeper: this.#keeper,
      runs: this.#runs,
    });
  }

  /** Resolves when the manifest is on disk. */
  opened(): Promise<void> {
    return this.#keeper.saved();
  }

  status(): SessionStatus {
    return this.#keeper.status;
  }

  lastSeq(): number {
    return this.#log.lastSeq();
  }

  async run(commandLine: string, options: WaitOptions): Promise<WaitedRunResult> {
    this.#input.requireCommandable();
    checkCommandLine(commandLine);
    const program = this.#runs.needsShellNow ? this.#pty.foregroundProgram() : null;
    if (program !== null && isKnownNoShell(program)) throw notAShell(this.id, program);
    return this.#runs.run(commandLine, options);
  }

  type(text: string): Promise<number> {
    this.#idle?.touch();
    return this.#input.type(text);
  }

  paste(text: string): Promise<number> {
    this.#idle?.touch();
    return this.#input.paste(text);
  }

  sendKeys(keys: readonly string[]): Promise<number> {
    this.#idle?.touch();
    return this.#input.sendKeys(keys);
  }

  mark(label: string): Promise<number> {
    return this.#input.mark(label);
  }

  resize(cols: number, rows: number): Promise<number> {
    return this.#input.resize(cols, rows);
  }

  signal(name: NodeJS.Signals): Promise<number> {
    return this.#input.signal(name);
  }

  wait(condition: RenderWaitCondition, options: WaitOptions): Promise<RenderWaitResult> {
    return this.#waits.wait(condition, options);
  }

  async snapshot(): Promise<SemanticSnapshot> {
    if (this.#closing !== null) return replaySession(this.#home, this.id);
    this.#log.seal();
    return this.#screen.snapshot();
  }

  async detailedSnapshot(): Promise<DetailedSnapshot> {
    if (this.#closing !== null) return replayDetailedSnapshot(this.#home, this.id);
    this.#log.seal();
    return this.#screen.detailedSnapshot();
  }

  async readOutput(range: EventRange, maxBytes: number): Promise<string> {
    if (this.#closing === null) await this.#log.flush();
    const startOffset = this.#log.positionBefore(range.fromSeq);
    return readPlainOutput(this.directory, { ...range, startOffset }, maxBytes);
  }

  async destroy(options: { force?: boolean } = {}): Promise<SessionStatus> {
    const status = this.status();
    if (status === "destroyed" || status === "destroying") {
      await this.exited;
      await this.#closing;
      return this.status();
    }
    this.#keeper.transition("destroying");
    this.#runs.onEnding();
    const end = await this.#endChild(options.force ?? false);
    if (end !== "alone") await killMarkedProcesses(this.#mark, this.#home.clock);
    this.#keeper.transition("destroyed");
    await this.#close();
    return this.status();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing !== null) {
      // A failure to close was told to whoever closed it.
      await this.#closing.catch(() => undefined);
    } else if (this.#hasExited && STATUS_POLICY[this.status()].terminal) {
      await killProcesses(this.#survivors, this.#home.clock);
      await killMarkedProcesses(this.#mark, this.#home.clock);
      await this.#close();
    } else {
      await this.destroy();
    }
  }

  /** From the terminal. */
  onOutput(bytes: Buffer): void {
    this.#idle?.touch();
    this.#pump.push(bytes);
  }

  /** From the terminal, after the last output. */
  onExit(exit: SessionExit): void {
    // Whoever destroys it looks for itself, before and after.
    if (this.status() !== "destroying")
      this.#survivors = sessionFamily(this.pid).filter((row) => row.pid !== this.pid);
    void this.#settleExit(exit);
  }

  /** An answer to a terminal query; dropped when the child does not read, so a flood of queries costs nothing. */
  onReply(reply: string): void {
    if (this.#hasExited || this.#pty.pendingInputBytes > 0) return;
    this.#input.write(reply, "terminal-reply");
  }

  onLogDrained(): void {
    this.#pump.relieve();
  }

  /** The disk refuses the Event Log: without its record the Session must not go on. */
  onLogFailure(error: Error): void {
    if (STATUS_POLICY[this.status()].commandable || this.status() === "exiting") {
      this.#keeper.transition("failed", error.message);
    }
    this.#pump.relieve();
    this.#pty.killGroup("SIGKILL");
  }

  async #settleExit(exit: SessionExit): Promise<void> {
    this.#pump.end();
    this.#screen.releaseFrame();
    this.#hasExited = true;
    this.#log.append({ type: "exit", exit });
    this.#keeper.recordExit(exit);
    if (STATUS_POLICY[this.status()].liveHostEligible) this.#keeper.transition("exited");
    this.#runs.onExit(exit);
    this.#waits.onExit(exit);
    await Promise.allSettled([this.#log.flush(), this.#keeper.saved()]);
    this.#resolveExited(exit);
  }

  async #endChild(force: boolean): Promise<ChildEnd> {
    await killProcesses(this.#survivors, this.#home.clock);
    if (this.#hasExited) return "ended";
    const options = { force, clock: this.#home.clock, mark: this.#mark };
    const end = await endProcesses(this.#pty, this.exited, options);
    if (end !== "stuck") return end;
    throw new OperationalError<HostErrorCode>({
      code: "DESTROY_TIMED_OUT",
      message: `process ${this.pid} of Session ${this.id} did not end after SIGKILL`,
      remedy: "it is stuck in the kernel (often a dead network mount); look at it with ps and try again",
    });
  }

  /** Politely first; the reason stays in the manifest and the status in the Event Log. */
  #endIdle(idleTimeoutMs: number): void {
    if (!STATUS_POLICY[this.status()].commandable) return;
    this.#keeper.transition("exiting", `no input and no output for ${idleTimeoutMs} ms`);
    const options = { force: false, clock: this.#home.clock, mark: this.#mark };
    void endProcesses(this.#pty, this.exited, options);
  }

  #close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    try {
      await this.#checkpoints.close();
      await this.#log.close();
      this.#screen[Symbol.dispose]();
      await this.#keeper.saved();
    } finally {
      hostedDirectories.delete(this.directory);
      this.#idle?.[Symbol.dispose]();
    }
  }
}
