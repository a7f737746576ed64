import type { Cell, DetailedSnapshot, UnderlineStyle } from "../screen/index.ts";
import { blend, resolveColor, type Rgb, type Theme } from "./theme.ts";

/** The content of a picture, in cells and final colours. */
export interface Picture {
  cols: number;
  rows: number;
  background: Rgb;
  lines: PictureLine[];
}

export interface PictureLine {
  fills: Fill[];
  glyphs: Glyph[];
  rules: Rule[];
}

export interface Fill {
  col: number;
  span: number;
  color: Rgb;
}

export interface Glyph {
  col: number;
  /** The number of cells it takes: 1 or 2. */
  span: number;
  text: string;
  color: Rgb;
  bold: boolean;
  italic: boolean;
}

/** A line along cells. */
export interface Rule {
  col: number;
  span: number;
  kind: "strikethrough" | "overline" | "cursor-underline" | "cursor-bar" | `underline-${UnderlineStyle}`;
  color: Rgb;
}

/** The part of a screen that a picture shows. */
export type PicturedScreen = Pick<DetailedSnapshot, "cols" | "rows" | "cells" | "cursor">;

export interface PictureOptions {
  theme: Theme;
  showCursor: boolean;
}

/** Returns the drawing of a screen, line by line, in the theme's colours. Pure; it rasterises nothing. */
export function planPicture(screen: PicturedScreen, options: PictureOptions): Picture {
  const { cols, rows, cursor } = screen;
  const isCursorShown = options.showCursor && cursor.visible;
  const lines = screen.cells.map((cells, row) =>
    planLine(cells, options.theme, isCursorShown && cursor.row === row ? cursor : null),
  );
  return { cols, rows, background: options.theme.background, lines };
}

function planLine(
  cells: readonly Cell[],
  theme: Theme,
  cursor: PicturedScreen["cursor"] | null,
): PictureLine {
  const line: PictureLine = { fills: [], glyphs: [], rules: [] };
  // When a program has filled the last column, the cursor is beyond it.
  const cursorCol = cursor === null ? -1 : wideStart(cells, Math.min(cursor.col, cells.length - 1));
  for (const [col, cell] of cells.entries()) {
    if (cell.width === 0) continue;
    const isBlock = col === cursorCol && cursor?.shape === "block";
    const colors = isBlock ? { fg: theme.background, bg: theme.cursor } : cellColors(cell, theme);
    drawCell(line, cell, col, colors, theme);
    if (col !== cursorCol || cursor === null || cursor.shape === "block") continue;
    line.rules.push({ col, span: cell.width, kind: `cursor-${cursor.shape}`, color: theme.cursor });
  }
  return line;
}

function drawCell(
  line: PictureLine,
  { char, width, style }: Cell,
  col: number,
  { fg, bg }: { fg: Rgb; bg: Rgb },
  theme: Theme,
): void {
  const has = (name: (typeof style.attributes)[number]): boolean => style.attributes.includes(name);
  if (bg !== theme.background) extend(line.fills, { col, span: width, color: bg });
  if (has("invisible")) return;
  if (char.trim() !== "") {
    line.glyphs.push({ col, span: width, text: char, color: fg, bold: has("bold"), italic: has("italic") });
  }
  const rule = (kind: Rule["kind"], color: Rgb): void =>
    extend(line.rules, { col, span: width, kind, color });
  if (style.underline !== null) {
    rule(`underline-${style.underline.style}`, resolveColor(style.underline.color, theme, fg));
  }
  if (has("strikethrough")) rule("strikethrough", fg);
  if (has("overline")) rule("overline", fg);
}

/**
 * Returns the colours of a cell. First `inverse` swaps them, then `bold` brightens the first eight colours of the text, and `dim`
 * moves the text halfway to the background.
 */
function cellColors({ style }: Cell, theme: Theme): { fg: Rgb; bg: Rgb } {
  const { attributes } = style;
  const own = { color: style.fg, fallback: theme.foreground };
  const behind = { color: style.bg, fallback: theme.background };
  const [front, back] = attributes.includes("inverse") ? [behind, own] : [own, behind];
  const isBright = attributes.includes("bold") && typeof front.color === "number" && front.color < 8;
  const fg = resolveColor(isBright ? Number(front.color) + 8 : front.color, theme, front.fallback);
  const bg = resolveColor(back.color, theme, back.fallback);
  return { fg: attributes.includes("dim") ? blend(fg, bg) : fg, bg };
}

/** Adds an entry, or extends the last entry if the new one continues it. */
function extend<Run extends { col: number; span: number; color: Rgb; kind?: Rule["kind"] }>(
  runs: Run[],
  next: Run,
): void {
  const last = runs.findLast((run) => run.kind === next.kind);
  const continues = last !== undefined && last.col + last.span === next.col && last.color === next.color;
  if (continues) last.span += next.span;
  else runs.push(next);
}

function wideStart(cells: readonly Cell[], col: number): number {
  return cells[col]?.width === 0 ? Math.max(0, col - 1) : col;
}
