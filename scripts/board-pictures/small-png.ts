import { crc32, deflateSync } from "node:zlib";
import { createCanvas, loadImage } from "@napi-rs/canvas";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLORS = 256;

/**
 * Returns the same picture in 256 colours. Most colours of a screenshot are greys at the edges of letters, and fewer of them look
 * the same.
 */
export async function smallPng(png: Buffer): Promise<Buffer> {
  const image = await loadImage(png);
  const { width, height } = image;
  const context = createCanvas(width, height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const colors = palette(data);
  const indexes = indexesOf(data, colors);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    rows.set(indexes.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(colors.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/**
 * The number of colours chosen because they are frequent. The others are chosen because they differ most from those, so that a
 * single red digit stays red.
 */
const FREQUENT = 176;

/** `0xrrggbb` */
function palette(pixels: Uint8ClampedArray): number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 4) {
    const color = colorAt(pixels, at);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const ranked = [...counts].sort(([, a], [, b]) => b - a).map(([color]) => color);
  const taken = ranked.slice(0, FREQUENT);
  const left = new Map(ranked.slice(FREQUENT).map((color) => [color, distanceTo(color, taken)]));
  while (taken.length < COLORS && left.size > 0) {
    const [next] = [...left].reduce((best, one) => (one[1] > best[1] ? one : best));
    taken.push(next);
    left.delete(next);
    for (const [color, distance] of left) left.set(color, Math.min(distance, distanceTo(color, [next])));
  }
  return taken;
}

function distanceTo(color: number, others: readonly number[]): number {
  return Math.min(...others.map((other) => distance(color, other)));
}

function indexesOf(pixels: Uint8ClampedArray, colors: readonly number[]): Uint8Array {
  const known = new Map(colors.map((color, index) => [color, index]));
  const indexes = new Uint8Array(pixels.length / 4);
  for (let at = 0; at < pixels.length; at += 4) {
    const color = colorAt(pixels, at);
    const index = known.get(color) ?? nearest(color, colors);
    known.set(color, index);
    indexes[at / 4] = index;
  }
  return indexes;
}

function nearest(color: number, colors: readonly number[]): number {
  const distances = colors.map((other) => distance(color, other));
  return distances.indexOf(Math.min(...distances));
}

function distance(one: number, other: number): number {
  const [a, b] = [channels(one), channels(other)];
  return a.reduce((sum, value, index) => sum + (value - (b[index] ?? 0)) ** 2, 0);
}

function colorAt(pixels: Uint8ClampedArray, at: number): number {
  return ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
}

function channels(color: number): number[] {
  return [color >> 16, (color >> 8) & 0xff, color & 0xff];
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)]);
}
