import type { Raster } from "./raster.ts";

/** Returns each colour of the raster (as a little-endian RGBA word) with its index, or null if there are more than `most`. */
export function countColors({ pixels }: Raster, most: number): Map<number, number> | null {
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.byteLength / 4);
  const colors = new Map<number, number>();
  let last = -1;
  for (const word of words) {
    if (word === last) continue;
    last = word;
    if (colors.has(word)) continue;
    if (colors.size === most) return null;
    colors.set(word, colors.size);
  }
  return colors;
}
