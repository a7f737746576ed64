import type { Terminal } from "@xterm/headless";
import {
  cellWidth,
  type Emulator,
  type EmulatorBuffer,
  GROUND,
  HAS_EXTENDED_ATTRIBUTES,
  internalsOf,
  isPrintable,
  NARROW_CELL,
  WORDS_PER_CELL,
} from "./emulator-internals.ts";

const [LF, CR, SPACE] = [0x0a, 0x0d, 0x20];

/**
 * Prints plain text in a fraction of the time that the emulator takes to decode, parse and print it, so that floods of output
 * finish fast (P5). Plain text is printable ASCII and line ends; it makes up most of a flood. The printer changes the emulator's
 * state as the emulator itself would, and leaves everything except the simple case to the emulator: other bytes, modes, margins,
 * attributes, a history that is not full. Only the emulator's events for cursor, scrolling and refreshing are missing; nothing
 * here listens to them.
 */
export class PlainTextPrinter {
  readonly #core: Emulator;
  readonly #one = new Uint32Array(1);
  /** The parser's state after a character that joins no other and takes one cell. */
  readonly #plainJoinState: number;
  #blankCells = new Uint32Array(0);

  constructor(terminal: Terminal) {
    this.#core = internalsOf(terminal);
    this.#plainJoinState = this.#core.unicodeService.charProperties(SPACE, 0);
  }

  /** Prints the plain bytes at the start and returns their number. The emulator has to process the rest. */
  print(bytes: Uint8Array): number {
    if (!this.#isSimple()) return 0;
    const { _inputHandler: input } = this.#core;
    let at = 0;
    // Here and below `length` is used, because `byteLength` is a call that costs as much as a cell.
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      if (isPrintable(byte)) {
        at = this.#printFrom(bytes, at);
        continue;
      }
      if (byte === LF) this.#lineFeed();
      else if (byte === CR) input.carriageReturn();
      else return at;
      input._parser.precedingJoinState = 0;
      at += 1;
    }
    return at;
  }

  /** Returns whether no parser state or attribute is set that plain text could depend on. */
  #isSimple(): boolean {
    const { _inputHandler: input, coreService, optionsService, unicodeService } = this.#core;
    const { currentState, precedingJoinState } = input._parser;
    const { bg, extended } = input._curAttrData;
    return (
      currentState === GROUND &&
      unicodeService.charProperties(SPACE, precedingJoinState) === this.#plainJoinState &&
      !this.#core._charsetService.charset &&
      coreService.decPrivateModes.wraparound &&
      !coreService.modes.insertMode &&
      optionsService.rawOptions.convertEol !== true &&
      (bg & HAS_EXTENDED_ATTRIBUTES) === 0 &&
      // After restoring a cursor, the colours can lack the flag of a link that continues.
      extended._urlId === 0
    );
  }

  /** Prints up to the end of the row. Returns the position of the next byte. */
  #printFrom(bytes: Uint8Array, from: number): number {
    const { _inputHandler: input, _bufferService: service } = this.#core;
    const buffer = input._activeBuffer;
    if (buffer.x >= service.cols && this.#isScrolledWhole(buffer)) {
      this.#scrollWhole(buffer, true);
      buffer.x = 0;
    }
    const line = buffer.lines.get(buffer.ybase + buffer.y);
    const isAfterWide = buffer.x > 0 && cellWidth(line._data[(buffer.x - 1) * WORDS_PER_CELL] ?? 0) === 2;
    if (buffer.x >= service.cols || isAfterWide) return this.#printOne(bytes, from);
    const { fg, bg } = input._curAttrData;
    const cells = line._data;
    const end = Math.min(bytes.length, from + service.cols - buffer.x);
    let at = from;
    for (let word = buffer.x * WORDS_PER_CELL; at < end; at += 1, word += WORDS_PER_CELL) {
      const byte = bytes[at] ?? 0;
      if (!isPrintable(byte)) break;
      cells[word] = byte | NARROW_CELL;
      cells[word + 1] = fg;
      cells[word + 2] = bg;
    }
    buffer.x += at - from;
    // Clear the other half of a wide character that was overwritten.
    const isBeforeHalf = buffer.x < service.cols && cells[buffer.x * WORDS_PER_CELL] === 0;
    if (isBeforeHalf) line.setCellFromCodepoint(buffer.x, 0, 1, input._curAttrData);
    input._parser.precedingJoinState = this.#plainJoinState;
    return at;
  }

  #printOne(bytes: Uint8Array, at: number): number {
    this.#one[0] = bytes[at] ?? 0;
    this.#core._inputHandler.print(this.#one, 0, 1);
    return at + 1;
  }

  #lineFeed(): void {
    const { _inputHandler: input, _bufferService: service } = this.#core;
    const buffer = input._activeBuffer;
    if (!this.#isScrolledWhole(buffer)) {
      input.lineFeed();
      return;
    }
    this.#scrollWhole(buffer, false);
    buffer.x = Math.min(buffer.x, service.cols - 1);
  }

  /** Returns whether the next line feed drops the oldest line and adds one without colour, which is the usual case in a flood. */
  #isScrolledWhole(buffer: EmulatorBuffer): boolean {
    const { lines, scrollTop, scrollBottom } = buffer;
    const { fg, bg } = this.#core._inputHandler._eraseAttrData();
    const isAtEnd = buffer.y === scrollBottom && scrollTop === 0;
    return isAtEnd && lines.isFull && buffer.ybase + scrollBottom === lines.length - 1 && (fg | bg) === 0;
  }

  #scrollWhole(buffer: EmulatorBuffer, isWrapped: boolean): void {
    const { cols } = this.#core._bufferService;
    const line = buffer.lines.recycle();
    const blank = this.#blankLine(cols);
    if (line.length === cols) line._data.set(blank);
    else line._data = blank.slice();
    line.length = cols;
    // Creating new objects for old lines, tens of thousands per second, would keep the garbage collector busy.
    if (!isEmpty(line._combined)) line._combined = {};
    if (!isEmpty(line._extendedAttrs)) line._extendedAttrs = {};
    line.isWrapped = isWrapped;
    buffer.ydisp = buffer.ybase;
  }

  #blankLine(cols: number): Uint32Array {
    const isOfSize = this.#blankCells.length === cols * WORDS_PER_CELL;
    if (!isOfSize) {
      this.#blankCells = Uint32Array.from({ length: cols * WORDS_PER_CELL }, (_, word) =>
        word % WORDS_PER_CELL === 0 ? NARROW_CELL : 0,
      );
    }
    return this.#blankCells;
  }
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
