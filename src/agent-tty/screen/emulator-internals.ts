import type { Terminal } from "@xterm/headless";

export const GROUND = 0;
export const WORDS_PER_CELL = 3;
/** First word of a cell: the character and its width. A cell without a character is blank. */
export const NARROW_CELL = 1 << 22;
/** In the background's word: the cell has underline styles or a link. */
export const HAS_EXTENDED_ATTRIBUTES = 0x10000000;

/** Returns whether the byte is a printable ASCII character. */
export function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte <= 0x7e;
}

/** Returns the width of a cell in columns (0, 1 or 2), from the first of its three words in the emulator's line. */
export function cellWidth(firstWord: number): number {
  return firstWord >> 22;
}

/**
 * Internals of the emulator that checkpoints and plain text must read and write, as they are in the pinned version of
 * @xterm/headless. Two properties are tested: replay from a checkpoint equals replay from the start, and plain text looks the
 * same as when the emulator prints it.
 */
export interface Emulator {
  coreService: {
    modes: { insertMode: boolean };
    decPrivateModes: { wraparound: boolean };
    isCursorHidden: boolean;
  };
  coreMouseService: { activeProtocol: string; activeEncoding: string };
  optionsService: { options: Record<string, unknown>; rawOptions: { convertEol?: boolean } };
  unicodeService: {
    activeVersion: string;
    /** Returns the character's width and how it joins. `preceding` is the result of the call for the previous character. */
    charProperties(codepoint: number, preceding: number): number;
  };
  _charsetService: { glevel: number; charset: Charset; _charsets: Charset[] };
  _oscLinkService: {
    _nextId: number;
    _entriesWithId: Map<string, LinkEntry>;
    _dataByLinkId: Map<number, LinkEntry>;
    _removeMarkerFromLink(entry: LinkEntry, marker: Marker): void;
  };
  _bufferService: {
    cols: number;
    buffers: { normal: EmulatorBuffer; alt: EmulatorBuffer; active: EmulatorBuffer; _activeBuffer: unknown };
  };
  _inputHandler: {
    _curAttrData: Attributes;
    _utf8Decoder: { interim: Uint8Array };
    _windowTitle: string;
    _iconName: string;
    _windowTitleStack: string[];
    _iconNameStack: string[];
    _activeBuffer: EmulatorBuffer;
    _parser: { currentState: number; precedingJoinState: number };
    print(codepoints: Uint32Array, start: number, end: number): void;
    carriageReturn(): void;
    lineFeed(): void;
    /** Returns the attributes of a cell that is erased now. */
    _eraseAttrData(): Attributes;
  };
}

export type Charset = Record<string, string> | undefined;

export interface LinkEntry {
  id: number;
  key?: string;
  data: { id?: string; uri: string };
  lines: Marker[];
}

/** A line that is tracked while lines scroll; a link without any marker is dropped. */
export interface Marker {
  line: number;
  onDispose(listener: () => void): unknown;
}

export interface ExtendedAttributes {
  _ext: number;
  _urlId: number;
}

export interface Attributes {
  fg: number;
  bg: number;
  extended: ExtendedAttributes;
}

export interface EmulatorLine {
  isWrapped: boolean;
  length: number;
  _data: Uint32Array;
  _combined: Record<string, string>;
  _extendedAttrs: Record<string, ExtendedAttributes | undefined>;
  setCellFromCodepoint(column: number, codepoint: number, width: number, attributes: Attributes): void;
}

export interface EmulatorBuffer {
  ydisp: number;
  ybase: number;
  y: number;
  x: number;
  savedX: number;
  savedY: number;
  savedCurAttrData: Attributes;
  savedCharset: Charset;
  scrollTop: number;
  scrollBottom: number;
  tabs: Record<string, boolean>;
  lines: {
    length: number;
    maxLength: number;
    isFull: boolean;
    /** In a full list, makes the first line the last one. */
    recycle(): EmulatorLine;
    get(index: number): EmulatorLine;
    push(line: EmulatorLine): void;
  };
  markers: Marker[];
  addMarker(line: number): Marker;
  getBlankLine(attributes: Attributes): EmulatorLine;
}

/** Returns the private core of an emulator, which the pinned version keeps in `_core`. */
export function internalsOf(terminal: Terminal): Emulator {
  return (terminal as unknown as { _core: Emulator })._core;
}
