import { FitAddon } from "@xterm/addon-fit";
import { type ITerminalAddon, Terminal } from "@xterm/xterm";
import { limitSequences } from "agent-tty/limits";
import type { TerminalFrame } from "../../api/index.ts";
import { withStyleNonce } from "../browser/index.ts";
import { terminalFont, terminalTheme } from "./terminal-theme.ts";
import { needsWideCharacters } from "./wide-characters.ts";

/** The smallest readable font size, in pixels; a terminal that is too wide for it scrolls. */
const SMALLEST_FONT_PX = 8;
/** The smallest font size, in pixels, to which a low window alone may shrink the font; below it, the page scrolls. */
const SMALL_FONT_PX = 9;
const LARGEST_FONT_PX = 16;
const LINE_HEIGHT = 1.15;
/** The line height of most fixed-width fonts, as a multiple of the font size. */
const FONT_HEIGHT = 1.17;
const SCROLLBACK_LINES = 5_000;

/** Loads the widths of wide characters. */
type WideCharacters = () => Promise<new () => ITerminalAddon>;

/**
 * A display-only terminal: its content cannot type, open or copy anything. Links (OSC 8) are inert, there is no
 * clipboard (OSC 52), and replies to queries are dropped.
 */
export class TerminalScreen {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #resizes: ResizeObserver;
  readonly #container: HTMLElement;
  readonly #belowPx: number;
  readonly #loadWideCharacters: WideCharacters;
  #decoder = new TextDecoder();
  #hasWideCharacters = false;
  /** Writes that wait for the script of wide characters, in order; null: nothing waits. */
  #waiting: (() => void)[] | null = null;
  #isClosed = false;
  #isRevealed = false;

  constructor(container: HTMLElement, belowPx: number, loadWideCharacters: WideCharacters) {
    this.#loadWideCharacters = loadWideCharacters;
    this.#container = container;
    this.#belowPx = belowPx;
    this.#terminal = new Terminal({
      allowProposedApi: true,
      disableStdin: true,
      cursorBlink: false,
      cursorInactiveStyle: "outline",
      fontFamily: terminalFont,
      fontSize: LARGEST_FONT_PX,
      lineHeight: LINE_HEIGHT,
      scrollback: SCROLLBACK_LINES,
      theme: terminalTheme,
      linkHandler: { activate: () => undefined },
    });
    limitSequences(this.#terminal);
    this.#terminal.loadAddon(this.#fit);
    // The keyboard belongs to the page, because nothing can be typed into this terminal.
    this.#terminal.attachCustomKeyEventHandler(() => false);
    this.#resizes = new ResizeObserver(() => this.#fitFont());
    // The first content is parsed before the terminal is opened, so that it is drawn once and not after each line.
    queueMicrotask(() => this.whenShown(() => this.#open()));
  }

  #open(): void {
    if (this.#isClosed) return;
    withStyleNonce(() => this.#terminal.open(this.#container));
    if (this.#terminal.textarea !== undefined) this.#terminal.textarea.tabIndex = -1;
    this.#resizes.observe(this.#container);
    this.#fitFont();
    // The rows for screen readers are measured one by one, so they are added after the visible rows.
    const rendered = this.#terminal.onRender(() => {
      rendered.dispose();
      requestAnimationFrame(() => {
        if (!this.#isClosed) this.#terminal.options.screenReaderMode = true;
      });
    });
  }

  /** Shows frames in order. */
  show(frames: readonly TerminalFrame[]): void {
    for (const frame of frames) {
      switch (frame.type) {
        case "reset":
          this.#decoder = new TextDecoder();
          this.clear(frame);
          this.#write(bytesOf(frame.paint));
          break;
        case "output":
          this.#write(bytesOf(frame.data));
          break;
        case "resize":
          this.whenShown(() => this.#resize(frame));
          break;
        case "input":
        case "mark":
        case "exit":
          break;
      }
    }
  }

  clear(size: { cols: number; rows: number }): void {
    this.whenShown(() => {
      this.#terminal.reset();
      this.#resize(size);
    });
  }

  /** Calls back when everything written before is on the screen, because writes are asynchronous while direct calls are not. */
  whenShown(action: () => void): void {
    this.#inOrder(() => this.#terminal.write("", action));
  }

  #write(bytes: Uint8Array): void {
    const text = this.#hasWideCharacters ? "" : this.#decoder.decode(bytes, { stream: true });
    if (needsWideCharacters(text)) this.#readWideCharacters();
    this.#inOrder(() => this.#terminal.write(bytes));
  }

  #inOrder(action: () => void): void {
    if (this.#waiting === null) action();
    else this.#waiting.push(action);
  }

  /** Loads the script of wide characters. If it cannot be loaded, wide characters are shown as narrow characters. */
  #readWideCharacters(): void {
    this.#hasWideCharacters = true;
    this.#waiting = [];
    const goOn = (): void => {
      const waiting = this.#waiting ?? [];
      this.#waiting = null;
      if (!this.#isClosed) for (const action of waiting) action();
    };
    this.#loadWideCharacters().then((Addon) => {
      if (!this.#isClosed) this.#terminal.loadAddon(new Addon());
      goOn();
    }, goOn);
  }

  /** Returns the selected text or, without a selection, the visible lines without trailing spaces. */
  text(): string {
    if (this.#terminal.hasSelection()) return this.#terminal.getSelection();
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) =>
      active
        .getLine(active.viewportY + row)
        ?.translateToString(true)
        .trimEnd(),
    );
    return `${lines.join("\n").trimEnd()}\n`;
  }

  close(): void {
    this.#isClosed = true;
    this.#resizes.disconnect();
    this.#terminal.dispose();
  }

  #resize({ cols, rows }: { cols: number; rows: number }): void {
    if (cols === this.#terminal.cols && rows === this.#terminal.rows) return;
    this.#terminal.resize(cols, rows);
    // The terminal has to be scrolled into view again, because its height changes.
    this.#isRevealed = false;
    this.#fitFont();
  }

  /**
   * Sets the font size. The Session defines columns and rows, and the font is as large as the space allows: in a window of usual
   * height, the whole terminal and its controls are visible.
   */
  #fitFont(): void {
    const proposed = this.#fit.proposeDimensions();
    const { fontSize = LARGEST_FONT_PX } = this.#terminal.options;
    if (proposed === undefined || !Number.isFinite(proposed.cols) || this.#container.clientWidth === 0)
      return;
    const byWidth = (fontSize * proposed.cols) / this.#terminal.cols;
    const scrolledPx = document.fullscreenElement === null ? window.scrollY : 0;
    const topPx = this.#container.getBoundingClientRect().top + scrolledPx;
    const roomPx = window.innerHeight - topPx - this.#belowPx;
    const byHeight = Math.max(SMALL_FONT_PX, roomPx / (this.#terminal.rows * LINE_HEIGHT * FONT_HEIGHT));
    const wanted = Math.floor(Math.min(byWidth, byHeight) * 2) / 2;
    const size = Math.max(SMALLEST_FONT_PX, Math.min(LARGEST_FONT_PX, wanted));
    if (size !== fontSize) this.#terminal.options.fontSize = size;
    if (this.#isRevealed) return;
    this.#isRevealed = true;
    // The last rows, where prompts are, and the controls below them are scrolled into view.
    requestAnimationFrame(() => this.#container.closest(".reveal")?.scrollIntoView({ block: "nearest" }));
  }
}

/** Returns the bytes of a base64 text. */
function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}
