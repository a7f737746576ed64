import type { Home, SessionExit, SessionManifest, SessionStatus } from "../home/index.ts";
import { STATUS_POLICY } from "../home/index.ts";
import type { EventLogWriter } from "../log/index.ts";
import type { Pty } from "../pty/index.ts";
import { replayDetailedSnapshot, replaySession } from "../replay/index.ts";
import {
  type EventRange,
  isKnownNoShell,
  plainShell,
  OutputFilter,
  type RunOptions,
  type ShellDialect,
  type WaitedRunResult,
  WaitedRuns,
  type WaitOptions,
} from "../run/index.ts";
import type { DetailedSnapshot, Screen, SemanticSnapshot } from "../screen/index.ts";
import { type RenderWaitCondition, type RenderWaitResult, RenderWaits } from "../wait/index.ts";
import { Checkpointer } from "./checkpointer.ts";
import { becameShell, notAShell } from "./engine-error.ts";
import { checkCommandLine } from "./input-limits.ts";
import { IdleWatch } from "./idle-watch.ts";
import { OutputPump } from "./output-pump.ts";
import { readPlainOutput } from "./read-plain-output.ts";
import type { Session } from "./session.ts";
import { SessionEnd } from "./session-end.ts";
import { SessionInput } from "./session-input.ts";
import { SessionTeardown } from "./session-teardown.ts";
import { StatusKeeper } from "./status-keeper.ts";

export interface HostedSessionParts {
  home: Home;
  manifest: SessionManifest;
  directory: string;
  pty: Pty;
  log: EventLogWriter;
  screen: Screen;
  dialect: ShellDialect;
  nonces: readonly string[];
  /** null: no limit on silence. */
  idleTimeoutMs: number | null;
}

/** Connects the child, the Event Log, the screen, the Waited Runs and the Render Waits of one Session. */
export class HostedSession implements Session {
  readonly id: string;
  readonly directory: string;
  readonly pid: number;
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
  readonly #end: SessionEnd;
  readonly #teardown: SessionTeardown;
  readonly #idle: IdleWatch | null;

  constructor(parts: HostedSessionParts) {
    const { home, manifest, pty, log, screen, dialect } = parts;
    this.id = manifest.sessionId;
    this.directory = parts.directory;
    this.pid = pty.pid;
    this.#home = home;
    this.#pty = pty;
    this.#log = log;
    this.#screen = screen;
    const { idleTimeoutMs } = parts;
    this.#idle =
      idleTimeoutMs === null
        ? null
        : new IdleWatch(home.clock, idleTimeoutMs, () => this.#teardown.endIdle(idleTimeoutMs));
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
      isShellAlone: (identity) => pty.isShellAlone(identity),
      becameShell: (program) => becameShell(this.id, program),
      innerDialect: (program) => plainShell(program, () => home.ids.hex(8), "inner-command-end"),
      lastSeq: () => log.lastSeq(),
      append: (event) => log.append(event),
      type: (text) => {
        this.#idle?.touch();
        this.#input.write(text, "run");
      },
      expectPostamble: (postamble) => filter.expectPostamble(postamble),
      cursorLine: () => {
        const { visibleLines, cursor } = screen.snapshot();
        return visibleLines[cursor.row] ?? "";
      },
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
      waits: this.#waits,
    });
    const ends = {
      log,
      screen,
      keeper: this.#keeper,
      pump: this.#pump,
      runs: this.#runs,
      waits: this.#waits,
    };
    this.#end = new SessionEnd(this.pid, ends);
    this.#teardown = new SessionTeardown(this.id, this.directory, {
      clock: home.clock,
      pty,
      log,
      screen,
      keeper: this.#keeper,
      checkpoints: this.#checkpoints,
      runs: this.#runs,
      idle: this.#idle,
      end: this.#end,
    });
  }

  get exited(): Promise<SessionExit> {
    return this.#end.exited;
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

  async run(commandLine: string, options: RunOptions): Promise<WaitedRunResult> {
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
    if (this.#teardown.hasBegunClosing) return replaySession(this.#home, this.id);
    this.#log.seal();
    return this.#screen.snapshot();
  }

  async detailedSnapshot(): Promise<DetailedSnapshot> {
    if (this.#teardown.hasBegunClosing) return replayDetailedSnapshot(this.#home, this.id);
    this.#log.seal();
    return this.#screen.detailedSnapshot();
  }

  async readOutput(range: EventRange, maxBytes: number): Promise<string> {
    if (!this.#teardown.hasBegunClosing) await this.#log.flush();
    const startOffset = this.#log.positionBefore(range.fromSeq);
    return readPlainOutput(this.directory, { ...range, startOffset }, maxBytes);
  }

  destroy(options: { force?: boolean } = {}): Promise<SessionStatus> {
    return this.#teardown.destroy(options.force ?? false);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#teardown.dispose();
  }

  /** The terminal calls this for each piece of output. */
  onOutput(bytes: Buffer): void {
    this.#idle?.touch();
    this.#pump.push(bytes);
  }

  /** The terminal calls this after the last output. */
  onExit(exit: SessionExit): void {
    void this.#end.settle(exit);
  }

  /** Called for a terminal query that is not answered here; another terminal in between, such as tmux, may have answered it. */
  onQuery(): void {
    this.#runs.onQuery();
  }

  /** Sends an answer to a terminal query. It is dropped if the child does not read, so that a flood of queries costs nothing. */
  onReply(reply: string): void {
    this.onQuery();
    if (this.#end.hasExited || this.#pty.pendingInputBytes > 0) return;
    this.#input.write(reply, "terminal-reply");
  }

  onLogDrained(): void {
    this.#pump.relieve();
  }

  /** Called when the disk refuses the Event Log. A Session without its record must not continue, so it is killed. */
  onLogFailure(error: Error): void {
    if (STATUS_POLICY[this.status()].commandable || this.status() === "exiting") {
      this.#keeper.transition("failed", error.message);
    }
    this.#pump.relieve();
    this.#pty.killGroup("SIGKILL");
  }
}
