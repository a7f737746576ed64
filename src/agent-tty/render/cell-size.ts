/** One cell in pixels. DejaVu Sans Mono's advance of 1233/2048 em makes a cell exactly this wide at `FONT_SIZE`. */
export const CELL_WIDTH = 10;
export const CELL_HEIGHT = 20;
export const FONT_SIZE = (CELL_WIDTH * 2048) / 1233;
/** From the top of a cell to the line the characters stand on. */
export const BASELINE = 16;
/** Around the cells, on every side. */
export const MARGIN = 10;

export interface PixelSize {
  width: number;
  height: number;
}

/** The size in pixels of a picture of this many columns and rows, margins included. */
export function pixelSize(cols: number, rows: number): PixelSize {
  return { width: cols * CELL_WIDTH + 2 * MARGIN, height: rows * CELL_HEIGHT + 2 * MARGIN };
}

/** Where in the picture a line begins. */
export function lineTop(row: number): number {
  return MARGIN + row * CELL_HEIGHT;
}
