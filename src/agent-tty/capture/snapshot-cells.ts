import type { Cell, CellAttribute, CellColor, DetailedSnapshot } from "../screen/index.ts";

/** One cell as JSON; default values are left out. */
export type SnapshotCell = {
  char: string;
  /** 2 for a wide character, 0 for the cell that it covers. */
  width: number;
  /** "#rrggbb", or "palette-N" with N from 0 to 255; the theme's own colour is left out. */
  fg?: string;
  bg?: string;
  underlineStyle?: string;
  underlineColor?: string;
  link?: string;
} & { [attribute in CellAttribute]?: true };

export interface SnapshotCellLine {
  /** 0-based row of the screen. */
  lineNumber: number;
  cells: SnapshotCell[];
}

/** Returns the cells of a screen as JSON; attributes with their default value are left out. */
export function snapshotCells({ cells }: DetailedSnapshot): SnapshotCellLine[] {
  return cells.map((line, lineNumber) => ({ lineNumber, cells: line.map(cellAsJson) }));
}

/** Returns one cell as JSON; attributes with their default value are left out. */
export function cellAsJson({ char, width, style }: Cell): SnapshotCell {
  return {
    char,
    width,
    ...(style.fg === "default" ? {} : { fg: colorName(style.fg) }),
    ...(style.bg === "default" ? {} : { bg: colorName(style.bg) }),
    ...Object.fromEntries(style.attributes.map((attribute) => [attribute, true as const])),
    ...underlineAsJson(style.underline),
    ...(style.link === null ? {} : { link: style.link }),
  };
}

function underlineAsJson(
  underline: Cell["style"]["underline"],
): Pick<SnapshotCell, "underlineStyle" | "underlineColor"> {
  if (underline === null) return {};
  return {
    ...(underline.style === "single" ? {} : { underlineStyle: underline.style }),
    ...(underline.color === "default" ? {} : { underlineColor: colorName(underline.color) }),
  };
}

function colorName(color: Exclude<CellColor, "default">): string {
  return typeof color === "number" ? `palette-${color}` : color;
}
