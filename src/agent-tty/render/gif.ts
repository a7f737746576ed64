import { applyPalette, GIFEncoder, quantize } from "gifenc/dist/gifenc.esm.js";
import { countColors } from "./colors.ts";
import type { Raster } from "./raster.ts";

const MAX_COLORS = 256;
const LEAVE_BELOW = 1;
const GRAPHIC_CONTROL_BYTES = 8;
const IMAGE_SEPARATOR = 0x2c;
/** Bytes from the image separator to the row at which a picture is placed. */
const TOP_OFFSET = 3;

/** A GIF that is written picture by picture. The first picture is the largest; each later one is drawn over the previous ones. */
export class GifWriter {
  readonly #encoder = GIFEncoder();
  #isFirst = true;

  /** Adds a picture whose first row is at `top`, shown for `durationMs`; returns the bytes written since the last call. */
  add(raster: Raster, top: number, durationMs: number): Buffer {
    const colors = countColors(raster, MAX_COLORS);
    const { indexes, palette } = colors === null ? nearest(raster) : exact(raster, colors);
    this.#encoder.writeFrame(indexes, raster.width, raster.height, {
      palette,
      delay: durationMs,
      repeat: 0,
      dispose: LEAVE_BELOW,
    });
    const bytes = this.#take();
    if (!this.#isFirst) placeAt(bytes, top);
    this.#isFirst = false;
    return bytes;
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

/**
 * Moves a picture to its row, because the encoder places every picture at the top
 * (https://www.w3.org/Graphics/GIF/spec-gif89a.txt, section 20).
 */
function placeAt(frame: Buffer, top: number): void {
  if (frame[GRAPHIC_CONTROL_BYTES] !== IMAGE_SEPARATOR) throw new Error("a GIF frame has an unknown layout");
  frame.writeUInt16LE(top, GRAPHIC_CONTROL_BYTES + TOP_OFFSET);
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
