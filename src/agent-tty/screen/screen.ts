import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import type { IDisposable, Terminal } from "@xterm/headless";
import { CellReader } from "./cells.ts";
import { CursorWatch } from "./cursor-watch.ts";
import type { DetailedSnapshot, TerminalModes } from "./detailed-snapshot.ts";
import { isSafeReply } from "./safe-reply.ts";
import type { SemanticSnapshot } from "./semantic-snapshot.ts";
import { synchronousWrite } from "./synchronous-write.ts";
import { WholeCharacters } from "./whole-characters.ts";

const SCROLLBACK_LINES = 1_000;

// The package is CommonJS: its names cannot be imported one by one by plain Node.
const require = createRequire(import.meta.url);

export interface ScreenOptions {
  cols: number;
  rows: number;
  /** Receives the answers to terminal queries; without it (replay) queries stay unanswered. */
  onReply?: (reply: string) => void;
}

/** A terminal emulator fed in Event Log order. The same code renders live and offline (A7). */
export interface Screen extends Disposable {
  /** True when the program has asked for bracketed paste. */
  readonly isBracketedPaste: boolean;
  /** True when the program has asked for application cursor keys (DECCKM). */
  readonly isApplicationCursor: boolean;
  /** Rendered when it returns; the bytes may be overwritten then. */
  write(bytes: Uint8Array, seq: number): void;
  resize(cols: number, rows: number, seq: number): void;
  /** What is rendered now (A8). */
  snapshot(): SemanticSnapshot;
  /** The same with cells, modes and scrollback. */
  detailedSnapshot(): DetailedSnapshot;
}

export function createScreen(options: ScreenOptions): Screen {
  return new XtermScreen(options);
}

class XtermScreen implements Screen {
  readonly #terminal: Terminal;
  readonly #subscriptions: IDisposable[] = [];
  #seq = 0;
  #title = "";
  readonly #cursor: CursorWatch;
  readonly #writeNow: (bytes: Uint8Array) => void;
  readonly #characters = new WholeCharacters();

  constructor(options: ScreenOptions) {
    const { Terminal } = require("@xterm/headless") as typeof import("@xterm/headless");
    this.#terminal = new Terminal({
      cols: options.cols,
      rows: options.rows,
      scrollback: SCROLLBACK_LINES,
      allowProposedApi: true,
      logLevel: "off",
    });
    this.#writeNow = synchronousWrite(this.#terminal);
    this.#cursor = new CursorWatch(this.#terminal);
    this.#subscriptions.push(
      this.#terminal.onTitleChange((title) => (this.#title = title)),
      this.#terminal.onData((reply) => {
        if (isSafeReply(reply)) options.onReply?.(reply);
      }),
    );
  }

  get isBracketedPaste(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  get isApplicationCursor(): boolean {
    return this.#terminal.modes.applicationCursorKeysMode;
  }

  write(bytes: Uint8Array, seq: number): void {
    this.#writeNow(this.#characters.push(bytes));
    this.#seq = seq;
  }

  resize(cols: number, rows: number, seq: number): void {
    this.#terminal.resize(cols, rows);
    this.#seq = seq;
  }

  snapshot(): SemanticSnapshot {
    const buffer = this.#terminal.buffer.active;
    const visibleLines = Array.from(
      { length: this.#terminal.rows },
      (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "",
    );
    return {
      seq: this.#seq,
      cols: this.#terminal.cols,
      rows: this.#terminal.rows,
      visibleLines: visibleLines.map((line) => line.trimEnd()),
      cursor: { row: buffer.cursorY, col: buffer.cursorX, visible: this.#cursor.visible },
      title: this.#title,
      alternateScreen: buffer.type === "alternate",
      screenHash: screenHash(visibleLines),
    };
  }

  detailedSnapshot(): DetailedSnapshot {
    const buffer = this.#terminal.buffer.active;
    const snapshot = this.snapshot();
    const { cols, rows } = snapshot;
    const reader = new CellReader(this.#terminal);
    const { shape, blink } = this.#cursor;
    return {
      ...snapshot,
      cursor: { ...snapshot.cursor, shape, blink },
      modes: modesOf(this.#terminal),
      cells: Array.from({ length: rows }, (_, row) => reader.read(buffer.getLine(buffer.baseY + row), cols)),
      scrollbackLines: Array.from({ length: buffer.baseY }, (_, row) =>
        (buffer.getLine(row)?.translateToString(true) ?? "").trimEnd(),
      ),
    };
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#cursor[Symbol.dispose]();
    this.#terminal.dispose();
  }
}

function modesOf({ buffer, modes }: Terminal): TerminalModes {
  return {
    alternateScreen: buffer.active.type === "alternate",
    applicationCursor: modes.applicationCursorKeysMode,
    applicationKeypad: modes.applicationKeypadMode,
    bracketedPaste: modes.bracketedPasteMode,
    mouse: modes.mouseTrackingMode,
    focusEvents: modes.sendFocusMode,
    synchronizedOutput: modes.synchronizedOutputMode,
  };
}

function screenHash(lines: readonly string[]): string {
  return createHash("sha256")
    .update(lines.map((line) => line.trimEnd()).join("\n"))
    .digest("hex");
}
