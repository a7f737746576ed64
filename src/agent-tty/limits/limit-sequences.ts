/** The most code units that REP prints, as a multiple of the screen's cells: enough for a screen full of emoji families. */
const REPEATED_UNITS_PER_CELL = 16;
/** The longest OSC 4, in characters, that is passed on. All 256 colours take 6 kB; the emulator's time is quadratic. */
const LONGEST_PALETTE = 8 * 1024;
/** The most positions of links that a buffer keeps: each of them is moved with every line that scrolls. */
const MOST_LINK_POSITIONS = 10_000;
/** The longest title and the longest link, in code units: each checkpoint and each snapshot contains them. */
const LONGEST_TITLE = 512;
const LONGEST_LINK = 2_083;
const BITS_BELOW_WIDTH = 1;

/** Internals of the emulator, as they are in the pinned versions of @xterm/headless and @xterm/xterm. */
interface Emulator {
  _bufferService: { cols: number; rows: number };
  _inputHandler: {
    _activeBuffer: {
      x: number;
      y: number;
      ybase: number;
      lines: { get(index: number): { _combined: Record<number, string | undefined> } | undefined };
      markers: unknown[];
    };
    _parser: Parser;
    registerOscHandler(number: number, handler: (data: string) => boolean): unknown;
    _finishHyperlink(): boolean;
    setTitle(title: string): boolean;
    setIconName(name: string): boolean;
  };
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
 * Limits what an escape sequence may cost. The emulator repeats some sequences as often as they say, up to 2^31 - 1 times, so a
 * few bytes could take hours or gigabytes. A number beyond the limit has the effect of the limit, which for all but REP is the
 * same: no line or column is left to move. Whatever a handler throws is dropped with its sequence, so that no output can end the process.
 *
 * Call it once, for a new terminal of @xterm/headless or @xterm/xterm.
 */
export function limitSequences(terminal: unknown): void {
  const emulator = (terminal as { _core: Emulator })._core;
  limitCounts(emulator);
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

/** Returns one screen full, or less if the repeated character has very many combining marks. */
function mostRepetitions({ _inputHandler: input, _bufferService: { cols, rows } }: Emulator): number {
  const { x, y, ybase, lines } = input._activeBuffer;
  const width = (input._parser.precedingJoinState >> BITS_BELOW_WIDTH) & 3;
  const units = lines.get(ybase + y)?._combined[x - width]?.length ?? 1;
  return Math.max(1, Math.min(cols * rows, Math.floor((REPEATED_UNITS_PER_CELL * cols * rows) / units)));
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
