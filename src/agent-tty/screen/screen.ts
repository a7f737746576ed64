import { createRequire } from "node:module";
import type { IDisposable, Terminal } from "@xterm/headless";
import { limitSequences } from "../limits/index.ts";
import { type CursorLooks, CursorWatch } from "./cursor-watch.ts";
import { DeferredText } from "./deferred-text.ts";
import type { DetailedSnapshot, StyledSnapshot } from "./detailed-snapshot.ts";
import { type EmulatorState, emulatorState, isBetweenSequences, restoreEmulator } from "./emulator-state.ts";
import { PlainTextPrinter } from "./plain-text-printer.ts";
import { isSafeReply } from "./safe-reply.ts";
import type { SemanticSnapshot } from "./semantic-snapshot.ts";
import { detailedSnapshot, semanticSnapshot, styledSnapshot } from "./snapshot-of-view.ts";
import { SynchronizedFrame } from "./synchronized-frame.ts";
import { answerQueries } from "./terminal-queries.ts";
import { watchProgramReports } from "./program-report.ts";
import { keptView, liveView, type ProgramWords, type View } from "./view.ts";
import { useWideCharacters } from "./wide-characters.ts";
import { WholeCharacters } from "./whole-characters.ts";

const SCROLLBACK_LINES = 1_000;
/** Changes with the emulator version and the layout of its state; checkpoints with another format are ignored. */
export const STATE_FORMAT = "xterm 6.0.0, 2";

// The package is CommonJS: plain Node cannot import its names individually.
const require = createRequire(import.meta.url);

export interface ScreenOptions {
  cols: number;
  rows: number;
  /** Receives the answers to terminal queries; without it (replay) queries are not answered. */
  onReply?: (reply: string) => void;
}

/** A terminal emulator that receives events in Event Log order. The same code renders live and offline (A7). */
export interface Screen extends Disposable {
  /** True if the program has enabled bracketed paste. */
  readonly isBracketedPaste: boolean;
  /** True if the program has enabled application cursor keys (DECCKM). */
  readonly isApplicationCursor: boolean;
  /** Whether and in which encoding the program wants mouse events. */
  readonly mouseReporting: "none" | "classic" | "sgr";
  /**
   * Processes output. Plain text is rendered when the screen is read, everything else before this returns. The caller may
   * overwrite the bytes afterwards.
   */
  write(bytes: Uint8Array, seq: number): void;
  /** Renders pending output and frees its buffer. Called when the output pauses. */
  settle(): void;
  resize(cols: number, rows: number, seq: number): void;
  /** Shows the current content. Call it when the program can no longer end its synchronized update. */
  releaseFrame(): void;
  /** The last sequence that the shown frame is certain to contain; it is behind `seq` only during a synchronized update. */
  readonly frameSeq: number;
  /** True if a synchronized update can be ended by further output: its last byte is not inside a sequence or a character. */
  readonly canEndFrame: boolean;
  /** Returns the screen as it is now (A8); during a synchronized update, the last complete frame. */
  snapshot(): SemanticSnapshot;
  /** Returns the same as `snapshot`, with the cells of single rows, on demand and only until the next write. */
  styledSnapshot(): StyledSnapshot;
  /** Returns the same as `snapshot`, with all cells, modes and scrollback. */
  detailedSnapshot(): DetailedSnapshot;
  /** Returns the state for `restoreScreen`, or null in the middle of an escape sequence, a character or a synchronized update. */
  state(): ScreenState | null;
}

/** Plain data: numbers, strings, objects, arrays and typed arrays. */
export interface ScreenState {
  format: typeof STATE_FORMAT;
  seq: number;
  title: string;
  programReport: string | null;
  cursor: CursorLooks;
  emulator: EmulatorState;
}

/** Creates an empty screen of the given size. */
export function createScreen(options: ScreenOptions): Screen {
  return new XtermScreen(options);
}

/** Creates a screen from a saved state. Later bytes have the same effect on it as on the original. */
export function restoreScreen(state: ScreenState): Screen {
  const { cols, rows } = state.emulator;
  const screen = new XtermScreen({ cols, rows });
  screen.restore(state);
  return screen;
}

class XtermScreen implements Screen {
  readonly #terminal: Terminal;
  readonly #subscriptions: IDisposable[] = [];
  #seq = 0;
  /** Counts events that may have changed the view. */
  #changes = 0;
  #title = "";
  #programReport: string | null = null;
  readonly #cursor: CursorWatch;
  readonly #frame: SynchronizedFrame;
  #frameSeq = 0;
  readonly #writeNow: (bytes: Uint8Array) => void;
  readonly #characters = new WholeCharacters();
  readonly #plainText: PlainTextPrinter;
  readonly #deferred: DeferredText;

  constructor(options: ScreenOptions) {
    const { Terminal } = require("@xterm/headless") as typeof import("@xterm/headless");
    this.#terminal = new Terminal({
      cols: options.cols,
      rows: options.rows,
      scrollback: SCROLLBACK_LINES,
      allowProposedApi: true,
      windowOptions: { getWinSizeChars: true },
      logLevel: "off",
    });
    limitSequences(this.#terminal);
    this.#writeNow = synchronousWrite(this.#terminal);
    useWideCharacters(this.#terminal);
    this.#plainText = new PlainTextPrinter(this.#terminal);
    this.#deferred = new DeferredText(this.#terminal, (bytes) => this.#show(bytes));
    this.#cursor = new CursorWatch(this.#terminal);
    this.#frame = new SynchronizedFrame(this.#terminal, () => {
      this.#frameSeq = this.#seq;
      return keptView(this.#terminal, this.#cursor, this.#words());
    });
    const { onReply } = options;
    if (onReply !== undefined) this.#answer(onReply);
    this.#subscriptions.push(
      this.#terminal.onTitleChange((title) => (this.#title = title)),
      watchProgramReports(this.#terminal, (report) => (this.#programReport = report)),
    );
  }

  get isBracketedPaste(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  get isApplicationCursor(): boolean {
    return this.#terminal.modes.applicationCursorKeysMode;
  }

  get mouseReporting(): "none" | "classic" | "sgr" {
    return mouseReporting(this.#terminal);
  }

  write(bytes: Uint8Array, seq: number): void {
    this.#changes += 1;
    const mayWait = this.#characters.isBetweenCharacters && this.#frame.kept === null;
    if (!mayWait || !this.#deferred.take(bytes)) {
      this.#deferred.render();
      this.#show(this.#characters.push(bytes));
    }
    this.#seq = seq;
  }

  settle(): void {
    this.#deferred.release();
  }

  resize(cols: number, rows: number, seq: number): void {
    this.#changes += 1;
    this.#deferred.render();
    this.#terminal.resize(cols, rows);
    this.#seq = seq;
  }

  releaseFrame(): void {
    this.#changes += 1;
    this.#frame.release();
  }

  get frameSeq(): number {
    return this.#frame.kept === null ? this.#seq : this.#frameSeq;
  }

  get canEndFrame(): boolean {
    const isBetween = this.#characters.isBetweenCharacters && isBetweenSequences(this.#terminal);
    return this.#frame.kept !== null && isBetween;
  }

  snapshot(): SemanticSnapshot {
    return semanticSnapshot(this.#view(), this.#seq);
  }

  styledSnapshot(): StyledSnapshot {
    const changes = this.#changes;
    return styledSnapshot(this.#view(), this.#seq, this.#terminal, () => this.#changes === changes);
  }

  detailedSnapshot(): DetailedSnapshot {
    return detailedSnapshot(this.#view(), this.#seq, this.#terminal);
  }

  state(): ScreenState | null {
    this.#deferred.render();
    const isBetween = this.#characters.isBetweenCharacters && this.#frame.kept === null;
    const emulator = isBetween ? emulatorState(this.#terminal) : null;
    if (emulator === null) return null;
    return { format: STATE_FORMAT, seq: this.#seq, ...this.#words(), cursor: this.#cursor.looks, emulator };
  }

  restore(state: ScreenState): void {
    this.#changes += 1;
    restoreEmulator(this.#terminal, state.emulator);
    this.#seq = state.seq;
    this.#title = state.title;
    this.#programReport = state.programReport;
    this.#cursor.restore(state.cursor);
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#frame[Symbol.dispose]();
    this.#cursor[Symbol.dispose]();
    this.#terminal.dispose();
  }

  #words(): ProgramWords {
    return { title: this.#title, programReport: this.#programReport };
  }

  /** Renders complete characters at once. */
  #show(bytes: Uint8Array): void {
    // While a frame is kept, the emulator must print the text, because its line feed events are counted.
    const printedBytes = this.#frame.kept === null ? this.#plainText.print(bytes) : 0;
    if (printedBytes < bytes.length) this.#writeNow(bytes.subarray(printedBytes));
  }

  #view(): View {
    this.#deferred.render();
    return this.#frame.kept ?? liveView(this.#terminal, this.#cursor, this.#words());
  }

  #answer(onReply: (reply: string) => void): void {
    this.#subscriptions.push(
      this.#terminal.onData((reply) => {
        if (isSafeReply(reply)) onReply(reply);
      }),
      ...answerQueries(this.#terminal, onReply),
    );
  }
}

/** The emulator publishes whether the mouse is reported, but not in which encoding; nearly every program asks for SGR. */
type MouseForm = { _core?: { coreMouseService?: { activeEncoding?: string } } };

function mouseReporting(terminal: Terminal): "none" | "classic" | "sgr" {
  if (terminal.modes.mouseTrackingMode === "none") return "none";
  return (terminal as MouseForm)._core?.coreMouseService?.activeEncoding === "DEFAULT" ? "classic" : "sgr";
}

type Core = { writeSync?(data: Uint8Array): void };

/**
 * Returns the emulator's synchronous write. Its public `write` renders later, from its own timer: the child would wait in the
 * meantime, and the effect of a sequence would be known only afterwards. The synchronous write is safe as long as no parser
 * handler returns a promise, and none here does. It is not public, so the version of @xterm/headless is pinned.
 */
function synchronousWrite(terminal: Terminal): (bytes: Uint8Array) => void {
  const { _core: core } = terminal as unknown as { _core?: Core };
  if (core?.writeSync === undefined) throw new Error("this @xterm/headless has no synchronous write");
  return core.writeSync.bind(core);
}
