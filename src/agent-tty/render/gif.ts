import { applyPalette, GIFEncoder, quantize } from "gifenc/dist/gifenc.esm.js";
import { countColors } from "./colors.ts";
import type { Raster } from "./raster.ts";

/** One index is kept for "as before". */
const MAX_COLORS = 255;
const LEAVE_BELOW = 1;

/** A GIF made picture by picture; all of one size. Pixels that did not change are transparent, which packs to nothing. */
export class GifWriter {
  readonly #encoder = GIFEncoder();
  #before: Uint32Array | null = null;

  /** Adds a picture that is shown for `durationMs` and gives the bytes made so far. */
  add(raster: Raster, durationMs: number): Buffer {
    const colors = countColors(raster, MAX_COLORS);
    const { indexes, palette } = colors === null ? nearest(raster) : exact(raster, colors);
    const words = new Uint32Array(raster.pixels.buffer, raster.pixels.byteOffset, indexes.length);
    const transparentIndex = palette.length;
    if (this.#before !== null) hideUnchanged(indexes, words, this.#before, transparentIndex);
    this.#encoder.writeFrame(indexes, raster.width, raster.height, {
      palette: [...palette, [0, 0, 0]],
      delay: durationMs,
      repeat: 0,
      transparent: this.#before !== null,
      transparentIndex,
      dispose: LEAVE_BELOW,
    });
    this.#before = words;
    return this.#take();
  }

  finish(): Buffer {
    this.#encoder.finish();
    return this.#take();
  }

  #take(): Buffer {
    const bytes = Buffer.from(this.#encoder.bytesView());
    this.#encoder.stream.reset();
    return bytes;
  }
}

interface Indexed {
  indexes: Uint8Array;
  palette: number[][];
}

function exact({ pixels }: Raster, colors: ReadonlyMap<number, number>): Indexed {
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.byteLength / 4);
  const indexes = new Uint8Array(words.length);
  let [last, index] = [-1, 0];
  for (const [at, word] of words.entries()) {
    if (word !== last) [last, index] = [word, colors.get(word) ?? 0];
    indexes[at] = index;
  }
  const palette = Array.from(colors.keys(), (word) => [word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff]);
  return { indexes, palette };
}

function nearest({ pixels }: Raster): Indexed {
  const palette = quantize(pixels, MAX_COLORS);
  return { indexes: applyPalette(pixels, palette), palette };
}

function hideUnchanged(
  indexes: Uint8Array,
  words: Uint32Array,
  before: Uint32Array,
  transparentIndex: number,
): void {
  for (let at = 0; at < indexes.length; at += 1) {
    if (words[at] === before[at]) indexes[at] = transparentIndex;
  }
}
