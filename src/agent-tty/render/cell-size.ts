/** The size of one cell in pixels. DejaVu Sans Mono's advance of 1233/2048 em makes a cell exactly this wide at `FONT_SIZE`. */
export const CELL_WIDTH = 10;
export const CELL_HEIGHT = 20;
export const FONT_SIZE = (CELL_WIDTH * 2048) / 1233;
/** Pixels from the top of a cell to the baseline. */
export const BASELINE = 16;
/** Pixels around the cells, on every side. */
export const MARGIN = 10;

export interface PixelSize {
  width: number;
  height: number;
}

/** Returns the size in pixels of a picture of this many columns and rows, margins included. */
export function pixelSize(cols: number, rows: number): PixelSize {
  return { width: cols * CELL_WIDTH + 2 * MARGIN, height: rows * CELL_HEIGHT + 2 * MARGIN };
}

/** Returns the y coordinate at which a line begins, in pixels. */
export function lineTop(row: number): number {
  return MARGIN + row * CELL_HEIGHT;
}
