import {
  type Attributes,
  type EmulatorBuffer,
  type EmulatorLine,
  type ExtendedAttributes,
  WORDS_PER_CELL,
} from "./emulator-internals.ts";

const NUMBERS = ["ydisp", "ybase", "y", "x", "savedX", "savedY", "scrollTop", "scrollBottom"] as const;

export interface AttributesState {
  fg: number;
  bg: number;
  ext: number;
  urlId: number;
}

export interface BufferState {
  numbers: Record<(typeof NUMBERS)[number], number>;
  tabs: Record<string, boolean>;
  saved: { attributes: AttributesState; charset: Record<string, string> | undefined };
  /** The cells of all lines, in order. */
  cells: Uint32Array;
  maxLines: number;
  lines: LineState[];
}

interface LineState {
  cols: number;
  isWrapped: boolean;
  combined: Record<string, string>;
  extended: [column: string, ext: number, urlId: number][];
}

/**
 * Returns a copy of one of the emulator's buffers: lines, cells, cursor, tab stops and saved cursor. `restoreBuffer` is its
 * inverse.
 */
export function bufferState(buffer: EmulatorBuffer): BufferState {
  const lines = Array.from({ length: buffer.lines.length }, (_, index) => buffer.lines.get(index));
  const cells = new Uint32Array(cellWords(lines.map(({ length }) => ({ cols: length }))));
  let at = 0;
  for (const line of lines) {
    cells.set(line._data.subarray(0, line.length * WORDS_PER_CELL), at);
    at += line.length * WORDS_PER_CELL;
  }
  return {
    numbers: Object.fromEntries(NUMBERS.map((name) => [name, buffer[name]])) as BufferState["numbers"],
    tabs: { ...buffer.tabs },
    saved: { attributes: attributesState(buffer.savedCurAttrData), charset: buffer.savedCharset },
    cells,
    maxLines: buffer.lines.maxLength,
    lines: lines.map(lineState),
  };
}

/** Returns the number of words that lines take in `cells`. */
export function cellWords(lines: readonly { cols: number }[]): number {
  return lines.reduce((words, { cols }) => words + cols * WORDS_PER_CELL, 0);
}

/** Restores a copied state into a buffer of the emulator. `plain`: the attributes of blank cells. */
export function restoreBuffer(buffer: EmulatorBuffer, state: BufferState, plain: Attributes): void {
  Object.assign(buffer, state.numbers, { tabs: state.tabs, savedCharset: state.saved.charset });
  restoreAttributes(buffer.savedCurAttrData, state.saved.attributes);
  buffer.lines.length = 0;
  // After a resize the emulator may keep more lines than the size requires.
  buffer.lines.maxLength = state.maxLines;
  let at = 0;
  for (const { cols, isWrapped, combined, extended } of state.lines) {
    const line = buffer.getBlankLine(plain);
    line.length = cols;
    line.isWrapped = isWrapped;
    line._data = state.cells.slice(at, at + cols * WORDS_PER_CELL);
    line._combined = combined;
    line._extendedAttrs = Object.fromEntries(
      extended.map(([column, ext, urlId]) => [column, extendedLike(plain.extended, ext, urlId)]),
    );
    at += cols * WORDS_PER_CELL;
    buffer.lines.push(line);
  }
}

/** Returns a copy of the colours, flags and hyperlink of a cell's attributes. `restoreAttributes` is its inverse. */
export function attributesState({ fg, bg, extended }: Attributes): AttributesState {
  return { fg, bg, ext: extended._ext, urlId: extended._urlId };
}

/** Restores copied attributes into attributes of the emulator. */
export function restoreAttributes(attributes: Attributes, { fg, bg, ext, urlId }: AttributesState): void {
  attributes.fg = fg;
  attributes.bg = bg;
  attributes.extended = extendedLike(attributes.extended, ext, urlId);
}

function lineState({ length, isWrapped, _combined, _extendedAttrs }: EmulatorLine): LineState {
  const extended = Object.entries(_extendedAttrs).flatMap(([column, value]) =>
    value === undefined ? [] : [[column, value._ext, value._urlId] satisfies [string, number, number]],
  );
  return { cols: length, isWrapped, combined: { ..._combined }, extended };
}

/** Returns an object with the class of the emulator's own attributes, which it does not export. */
function extendedLike(model: ExtendedAttributes, ext: number, urlId: number): ExtendedAttributes {
  return Object.assign(Object.create(Object.getPrototypeOf(model) as object) as ExtendedAttributes, {
    _ext: ext,
    _urlId: urlId,
  });
}
