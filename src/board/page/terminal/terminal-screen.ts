import { FitAddon } from "@xterm/addon-fit";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal } from "@xterm/xterm";
import type { TerminalFrame } from "../../api/index.ts";
import { withStyleNonce } from "../browser/index.ts";
import { bytesOf } from "./bytes-of.ts";
import { terminalFont, terminalTheme } from "./terminal-theme.ts";

/** Smaller letters nobody reads: a terminal that is wider then scrolls. */
const SMALLEST_FONT_PX = 8;
/** What the height alone may shrink them to. */
const SMALL_FONT_PX = 11.5;
const LARGEST_FONT_PX = 16;
const LINE_HEIGHT = 1.15;
/** Of a line of most fixed-width fonts, in font sizes. */
const FONT_HEIGHT = 1.17;
const LEAST_HEIGHT_PX = 340;
/** The time line and the buttons. */
const BELOW_PX = 108;
const SCROLLBACK_LINES = 5_000;

/**
 * A terminal that only shows: what is in it types nothing, opens nothing, copies nothing. Its links do nothing (OSC 8), it
 * has no clipboard (OSC 52), and what it would answer to a query goes nowhere.
 */
export class TerminalScreen {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #resizes: ResizeObserver;
  readonly #container: HTMLElement;

  constructor(container: HTMLElement) {
    this.#container = container;
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
      screenReaderMode: true,
    });
    this.#terminal.loadAddon(new UnicodeGraphemesAddon());
    this.#terminal.loadAddon(this.#fit);
    withStyleNonce(() => this.#terminal.open(container));
    // Shown, not typed into: the keys belong to the page.
    this.#terminal.attachCustomKeyEventHandler(() => false);
    if (this.#terminal.textarea !== undefined) this.#terminal.textarea.tabIndex = -1;
    this.#resizes = new ResizeObserver(() => this.#fitFont());
    this.#resizes.observe(container);
  }

  /** Frames in order. */
  show(frames: readonly TerminalFrame[]): void {
    for (const frame of frames) {
      switch (frame.type) {
        case "reset":
          this.clear(frame);
          this.#terminal.write(bytesOf(frame.paint));
          break;
        case "output":
          this.#terminal.write(bytesOf(frame.data));
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

  /** Calls back when all that was given before is on the screen: writes take their time, what is called directly does not. */
  whenShown(action: () => void): void {
    this.#terminal.write("", action);
  }

  close(): void {
    this.#resizes.disconnect();
    this.#terminal.dispose();
  }

  #resize({ cols, rows }: { cols: number; rows: number }): void {
    if (cols === this.#terminal.cols && rows === this.#terminal.rows) return;
    this.#terminal.resize(cols, rows);
    this.#fitFont();
  }

  /**
   * The Session says how many columns and rows there are; the letters are as large as the place allows. In a window of
   * usual height the whole terminal is to be seen, and what steers it below.
   */
  #fitFont(): void {
    const proposed = this.#fit.proposeDimensions();
    const { fontSize = LARGEST_FONT_PX } = this.#terminal.options;
    if (proposed === undefined || !Number.isFinite(proposed.cols) || this.#container.clientWidth === 0)
      return;
    const byWidth = (fontSize * proposed.cols) / this.#terminal.cols;
    const topPx = this.#container.getBoundingClientRect().top + window.scrollY;
    const roomPx = Math.max(LEAST_HEIGHT_PX, window.innerHeight - topPx - BELOW_PX);
    const byHeight = Math.max(SMALL_FONT_PX, roomPx / (this.#terminal.rows * LINE_HEIGHT * FONT_HEIGHT));
    const wanted = Math.floor(Math.min(byWidth, byHeight) * 2) / 2;
    const size = Math.max(SMALLEST_FONT_PX, Math.min(LARGEST_FONT_PX, wanted));
    if (size !== fontSize) this.#terminal.options.fontSize = size;
  }
}
