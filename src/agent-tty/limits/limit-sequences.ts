/** The longest content of a cell, in code units: every reading of the screen contains it. */
const LONGEST_CELL = 128;
/** The longest OSC 4, in characters, that is passed on. All 256 colours take 6 kB; the emulator's time is quadratic. */
const LONGEST_PALETTE = 8 * 1024;
/** The most positions of links that a buffer keeps: each of them is moved with every line that scrolls. */
const MOST_LINK_POSITIONS = 10_000;
/** The longest title and the longest link, in code units: each checkpoint and each snapshot contains them. */
const LONGEST_TITLE = 512;
const LONGEST_LINK = 2_083;
const WORDS_PER_CELL = 3;
/** In the first word of a cell: the cell has more than one code point. */
const COMBINED_CELL = 0x200000;

const limitedLines = new WeakSet<Line>();

/** Internals of the emulator, as they are in the pinned versions of @xterm/headless and @xterm/xterm. */
interface Emulator {
  _bufferService: { cols: number; rows: number };
  _inputHandler: {
    _activeBuffer: {
      x: number;
      y: number;
      ybase: number;
      lines: { get(index: number): Line };
      markers: unknown[];
    };
    _parser: Parser;
    registerOscHandler(number: number, handler: (data: string) => boolean): unknown;
    _finishHyperlink(): boolean;
    setTitle(title: string): boolean;
    setIconName(name: string): boolean;
  };
}

interface Line {
  _data: Uint32Array;
  _combined: Record<number, string | undefined>;
  addCodepointToCell: (this: Line, column: number, codepoint: number, width: number) => void;
}

interface Parser {
  /** How the last character joins the next one: bit 0, then two bits of width, then the state. */
  precedingJoinState: number;
  _csiHandlers: Record<number, Handler[]>;
  _escHandlers: Record<number, Handler[]>;
  registerCsiHandler(id: { prefix?: string; final: string }, handler: Handler): unknown;
  parse(...input: unknown[]): unknown;
  reset(): void;
}

/** Returns true if the sequence needs no further handler. */
type Handler = (sequence: { params: Int32Array }) => boolean;

/**
 * Limits the time and memory that an escape sequence may cost. The emulator repeats some sequences as often as they say, up to
 * 2^31 - 1 times, so a few bytes could take hours or gigabytes. A larger number is reduced to the limit. Except for REP, the
 * effect is the same, because no line or column is left to move. If a handler throws, the error is dropped with its sequence, so
 * that no output can end the process.
 *
 * Call it once, for a new terminal of @xterm/headless or @xterm/xterm.
 */
export function limitSequences(terminal: unknown): void {
  const emulator = (terminal as { _core: Emulator })._core;
  limitCounts(emulator);
  limitCells(emulator);
  limitTexts(emulator);
  surviveErrors(emulator._inputHandler._parser);
}

function limitCounts(emulator: Emulator): void {
  const { _inputHandler: input, _bufferService: size } = emulator;
  const limit = (finals: string, most: () => number): void => {
    for (const final of finals) {
      input._parser.registerCsiHandler({ final }, ({ params }) => {
        params[0] = Math.min(params[0] ?? 0, most());
        return false;
      });
    }
  };
  // IL, DL, SU and SD move lines; CHT and CBT go to tab stops; REP repeats a character. Other counts only shift within a line.
  limit("LMST", () => size.rows);
  limit("IZ", () => size.cols);
  limit("b", () => mostRepetitions(emulator));
  // ED 1 and DECSED 1 at the end of the screen erase everything, as 2 does; 1 makes the emulator fail on the line below the last.
  for (const id of [{ final: "J" }, { prefix: "?", final: "J" }]) {
    input._parser.registerCsiHandler(id, ({ params }) => {
      const { x, y } = input._activeBuffer;
      if (params[0] === 1 && y >= size.rows - 1 && x >= size.cols - 1) params[0] = 2;
      return false;
    });
  }
}

/** Returns how many repetitions of the last character fill the screen, counted in code units. */
function mostRepetitions({ _inputHandler: input, _bufferService: { cols, rows } }: Emulator): number {
  const { x, y, ybase, lines } = input._activeBuffer;
  const width = (input._parser.precedingJoinState >> 1) & 3;
  return Math.max(1, Math.floor((cols * rows) / unitsOf(lines.get(ybase + y), x - width)));
}

/** Returns the length of a cell's content in code units; 1 for a single character or none. */
function unitsOf(line: Line, column: number): number {
  const isCombined = ((line._data[column * WORDS_PER_CELL] ?? 0) & COMBINED_CELL) !== 0;
  return isCombined ? (line._combined[column]?.length ?? 1) : 1;
}

/** Drops the combining marks that a cell has no room for. All terminals of one package share the code of their lines. */
function limitCells({ _inputHandler: input }: Emulator): void {
  const lines = Object.getPrototypeOf(input._activeBuffer.lines.get(0)) as Line;
  if (limitedLines.has(lines)) return;
  limitedLines.add(lines);
  const add = lines.addCodepointToCell;
  lines.addCodepointToCell = function (this: Line, column: number, codepoint: number, width: number): void {
    if (unitsOf(this, column) < LONGEST_CELL) add.call(this, column, codepoint, width);
  };
}

function limitTexts({ _inputHandler: input }: Emulator): void {
  input.registerOscHandler(4, (colors) => colors.length > LONGEST_PALETTE);
  input.registerOscHandler(8, (link) => {
    const isTooMany = link.length > LONGEST_LINK || input._activeBuffer.markers.length >= MOST_LINK_POSITIONS;
    return isTooMany && input._finishHyperlink();
  });
  for (const name of ["setTitle", "setIconName"] as const) {
    const set = input[name].bind(input);
    // The cut must not leave half of a character.
    input[name] = (text) => set(text.slice(0, LONGEST_TITLE).replace(/[\ud800-\udbff]$/, ""));
  }
}

function surviveErrors(parser: Parser): void {
  // Dropping a single sequence keeps the effect independent of how the output is divided into pieces.
  for (const handlers of [...Object.values(parser._csiHandlers), ...Object.values(parser._escHandlers)]) {
    for (const [index, handler] of handlers.entries()) {
      handlers[index] = (sequence) => {
        try {
          return handler(sequence);
        } catch {
          return true;
        }
      };
    }
  }
  const parse = parser.parse.bind(parser);
  parser.parse = (...input) => {
    try {
      return parse(...input);
    } catch {
      parser.reset();
      return undefined;
    }
  };
}
