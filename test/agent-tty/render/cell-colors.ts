/** Red, green, blue and alpha of each pixel. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** For each row of cells, the mean colour of each quarter of every cell: upper left, upper right, lower left, lower right. */
export type CellColors = string[];

export interface CellDifference {
  row: number;
  col: number;
  /** The largest difference in a channel of a quarter, out of 15. */
  distance: number;
}

export const CELL = { width: 10, height: 20, margin: 10 };

const DIGITS_A_CELL = 12;

/**
 * Glyphs that two rasterisers place half a pixel apart differ by up to this much in a quarter of their cell; a wrong colour,
 * glyph, style or width differs more.
 */
const TOLERANCE = 4;

/** Returns one hexadecimal digit for each channel, so that a reference can be stored and read by people. */
export function cellColors(pixels: Pixels): CellColors {
  const cols = (pixels.width - 2 * CELL.margin) / CELL.width;
  const rows = (pixels.height - 2 * CELL.margin) / CELL.height;
  const [width, height] = [CELL.width / 2, CELL.height / 2];
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: cols * 4 }, (_, index) => {
      const [col, quarter] = [Math.floor(index / 4), index % 4];
      const x = CELL.margin + col * CELL.width + (quarter % 2) * width;
      const y = CELL.margin + row * CELL.height + Math.floor(quarter / 2) * height;
      return meanColor(pixels, { x, y, width, height });
    }).join(""),
  );
}

export function compareCells(ours: CellColors, reference: CellColors): CellDifference[] {
  return ours.flatMap((line, row) =>
    Array.from({ length: line.length / DIGITS_A_CELL }, (_, col) => {
      const at = col * DIGITS_A_CELL;
      const distance = Math.max(
        ...Array.from({ length: DIGITS_A_CELL }, (_, digit) =>
          Math.abs(
            Number.parseInt(line.charAt(at + digit), 16) -
              Number.parseInt(reference[row]?.charAt(at + digit) || "0", 16),
          ),
        ),
      );
      return { row, col, distance };
    }).filter(({ distance }) => distance > TOLERANCE),
  );
}

function meanColor(
  { data, width }: Pixels,
  area: { x: number; y: number; width: number; height: number },
): string {
  const sums: [number, number, number] = [0, 0, 0];
  for (let y = area.y; y < area.y + area.height; y += 1) {
    for (let x = area.x; x < area.x + area.width; x += 1) {
      for (const channel of [0, 1, 2] as const) sums[channel] += data[(y * width + x) * 4 + channel] ?? 0;
    }
  }
  return sums.map((sum) => Math.round((sum / (area.width * area.height) / 255) * 15).toString(16)).join("");
}
