import type { IBufferCell, Terminal } from "@xterm/headless";
import type { Cell, CellAttribute, CellColor, CellStyle, UnderlineStyle } from "./detailed-snapshot.ts";
import { HAS_EXTENDED_ATTRIBUTES } from "./emulator-internals.ts";

/** A line of the emulator, live or copied. */
export interface TerminalLine {
  getCell(column: number, reuse: IBufferCell): IBufferCell | undefined;
  translateToString(trimRight: boolean): string;
}

/** Details of a cell that the emulator does not publish; in a version without them only these details are lost. */
type CellExtras = {
  fg?: number;
  bg?: number;
  extended?: { underlineStyle?: number; underlineColor?: number; urlId?: number };
};
type LinkNames = {
  _core?: { _oscLinkService?: { getLinkData?(id: number): { uri?: string } | undefined } };
};

const PALETTE_MODE = 1;
const RGB_MODE = 3;
/** The emulator's value after a reset by SGR 59; it cannot be distinguished from white. */
const UNSET_UNDERLINE_COLOR = 0x3ffffff;
const UNDERLINES: readonly UnderlineStyle[] = ["single", "single", "double", "curly", "dotted", "dashed"];

/** Reads cells; equal styles are returned as the same object. */
export class CellReader {
  readonly #terminal: Terminal;
  readonly #reused: IBufferCell;
  readonly #styles = new Map<string, CellStyle>();
  /** Styles by the emulator's packed values: most cells of a screen look like an earlier one. */
  readonly #packed = new Map<string, CellStyle>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#reused = terminal.buffer.active.getNullCell();
  }

  /** Returns exactly `cols` cells; after the end of the line they are blank. */
  read(line: TerminalLine | undefined, cols: number): Cell[] {
    const plain = this.#shared(PLAIN);
    return Array.from({ length: cols }, (_, column) => {
      const cell = line?.getCell(column, this.#reused);
      return cell === undefined ? { char: " ", width: 1, style: plain } : this.#cell(cell);
    });
  }

  #cell(cell: IBufferCell): Cell {
    const width = cell.getWidth() as Cell["width"];
    const blank = width === 0 ? "" : " ";
    return { char: cell.getChars() || blank, width, style: this.#looks(cell) };
  }

  #looks(cell: IBufferCell): CellStyle {
    const { fg, bg } = cell as CellExtras;
    const extended = extendedOf(cell);
    if (fg === undefined || bg === undefined) return this.#shared(this.#style(cell));
    const key = `${fg} ${bg} ${extended?.underlineStyle} ${extended?.underlineColor} ${extended?.urlId}`;
    const known = this.#packed.get(key);
    if (known !== undefined) return known;
    const style = this.#shared(this.#style(cell));
    this.#packed.set(key, style);
    return style;
  }

  #style(cell: IBufferCell): CellStyle {
    const extended = extendedOf(cell);
    const isUnderlined = cell.isUnderline() !== 0;
    return {
      fg: color(cell.getFgColorMode() >> 24, cell.getFgColor()),
      bg: color(cell.getBgColorMode() >> 24, cell.getBgColor()),
      attributes: attributesOf(cell),
      underline: isUnderlined
        ? { style: UNDERLINES[extended?.underlineStyle ?? 1] ?? "single", color: underlineColor(extended) }
        : null,
      link: this.#link(extended?.urlId ?? 0),
    };
  }

  #link(id: number): string | null {
    if (id === 0) return null;
    return (this.#terminal as LinkNames)._core?._oscLinkService?.getLinkData?.(id)?.uri ?? null;
  }

  #shared(style: CellStyle): CellStyle {
    const key = JSON.stringify(style);
    const known = this.#styles.get(key);
    if (known !== undefined) return known;
    this.#styles.set(key, style);
    return style;
  }
}

const PLAIN: CellStyle = { fg: "default", bg: "default", attributes: [], underline: null, link: null };

/**
 * Returns the extended attributes of a cell, or undefined if it has none. A reused cell without them still contains those of an
 * earlier cell.
 */
function extendedOf(cell: IBufferCell): CellExtras["extended"] {
  const { bg = 0, extended } = cell as CellExtras;
  return (bg & HAS_EXTENDED_ATTRIBUTES) === 0 ? undefined : extended;
}

function attributesOf(cell: IBufferCell): CellAttribute[] {
  const flags: [CellAttribute, number][] = [
    ["bold", cell.isBold()],
    ["dim", cell.isDim()],
    ["italic", cell.isItalic()],
    ["underline", cell.isUnderline()],
    ["blink", cell.isBlink()],
    ["inverse", cell.isInverse()],
    ["invisible", cell.isInvisible()],
    ["strikethrough", cell.isStrikethrough()],
    ["overline", cell.isOverline()],
  ];
  return flags.filter(([, isSet]) => isSet !== 0).map(([name]) => name);
}

/** Returns a colour of the emulator. `mode` is the emulator's: 0 default, 1 the 16 colours, 2 the 256, 3 red, green and blue. */
function color(mode: number, value: number): CellColor {
  if (mode === RGB_MODE) return `#${(value & 0xffffff).toString(16).padStart(6, "0")}`;
  return mode >= PALETTE_MODE ? value & 0xff : "default";
}

function underlineColor(extended: CellExtras["extended"]): CellColor {
  const packed = extended?.underlineColor ?? 0;
  if (packed === UNSET_UNDERLINE_COLOR) return "default";
  return color((packed >> 24) & 3, packed);
}
