import { crc32, deflateSync } from "node:zlib";
import { countColors } from "./colors.ts";
import type { Raster } from "./raster.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PALETTE_COLORS = 256;
const TYPE_RGB = 2;
const TYPE_PALETTE = 3;
/**
 * Text on a plain background compresses well at a low level; a higher one takes several times as long to save a tenth of the
 * size.
 */
const DEFLATE_LEVEL = 3;

/**
 * Returns the raster as a lossless PNG (https://www.w3.org/TR/png-3/). It has a palette if 256 colours are enough, which is true
 * for nearly every screen and takes a third of the work.
 */
export function encodePng(raster: Raster): Buffer {
  const colors = countColors(raster, PALETTE_COLORS);
  const [body, palette] =
    colors === null ? [rgbRows(raster), null] : [indexedRows(raster, colors), paletteOf(colors)];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(raster.width, 0);
  header.writeUInt32BE(raster.height, 4);
  header.set([8, palette === null ? TYPE_RGB : TYPE_PALETTE, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    ...(palette === null ? [] : [chunk("PLTE", palette)]),
    chunk("IDAT", deflateSync(body, { level: DEFLATE_LEVEL })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns the rows of a palette image. Every row begins with its filter type: none. */
function indexedRows({ width, height, pixels }: Raster, colors: ReadonlyMap<number, number>): Buffer {
  const words = wordsOf(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const [to, from] = [y * (width + 1) + 1, y * width];
    let [lastWord, lastIndex] = [-1, 0];
    for (let x = 0; x < width; x += 1) {
      const word = words[from + x] ?? 0;
      if (word !== lastWord) [lastWord, lastIndex] = [word, colors.get(word) ?? 0];
      rows[to + x] = lastIndex;
    }
  }
  return rows;
}

function rgbRows({ width, height, pixels }: Raster): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  let [to, from] = [0, 0];
  for (let y = 0; y < height; y += 1) {
    to += 1;
    for (let x = 0; x < width; x += 1, to += 3, from += 4) {
      rows[to] = pixels[from] ?? 0;
      rows[to + 1] = pixels[from + 1] ?? 0;
      rows[to + 2] = pixels[from + 2] ?? 0;
    }
  }
  return rows;
}

function paletteOf(colors: ReadonlyMap<number, number>): Buffer {
  return Buffer.from(
    [...colors.keys()].flatMap((word) => [word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff]),
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(typed.byteLength + 8);
  framed.writeUInt32BE(data.byteLength, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.byteLength + 4);
  return framed;
}

function wordsOf(pixels: Uint8ClampedArray): Uint32Array {
  return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.byteLength / 4);
}
