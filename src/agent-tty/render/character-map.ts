import { closeSync, openSync, readSync } from "node:fs";

/** Returns whether a font file has a glyph for a character. */
export type CharacterMap = (codePoint: number) => boolean;

const COLLECTION_TAG = 0x74746366;
const CMAP_TAG = 0x636d6170;

/**
 * Returns which characters a font has, from the `cmap` of a TrueType file, or of the first font of a collection
 * (https://learn.microsoft.com/typography/opentype/spec/cmap).
 */
export function readCharacterMap(path: string): CharacterMap {
  const file = openSync(path, "r");
  try {
    const start = read(file, 0, 16);
    const base = start.readUInt32BE(0) === COLLECTION_TAG ? start.readUInt32BE(12) : 0;
    const tableCount = read(file, base, 12).readUInt16BE(4);
    const tables = read(file, base + 12, tableCount * 16);
    const entry = Array.from({ length: tableCount }, (_, index) => index * 16).find(
      (at) => tables.readUInt32BE(at) === CMAP_TAG,
    );
    if (entry === undefined) throw new Error(`${path} has no cmap table`);
    return parse(read(file, tables.readUInt32BE(entry + 8), tables.readUInt32BE(entry + 12)));
  } finally {
    closeSync(file);
  }
}

function parse(cmap: Buffer): CharacterMap {
  const offsets = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.readUInt32BE(8 + index * 8),
  );
  const withFormat = (format: number): number | undefined =>
    offsets.find((offset) => cmap.readUInt16BE(offset) === format);
  const [whole, basic] = [withFormat(12), withFormat(4)];
  if (whole !== undefined) return segmentedCoverage(cmap.subarray(whole));
  if (basic !== undefined) return basicPlane(cmap.subarray(basic));
  throw new Error("the cmap table has neither format 12 nor format 4");
}

/** Returns the map of a table in format 12: sorted groups of first character, last character and first glyph, 32 bits each. */
function segmentedCoverage(table: Buffer): CharacterMap {
  const count = table.readUInt32BE(12);
  return (codePoint) => {
    const index = firstIndex(count, (group) => table.readUInt32BE(20 + group * 12) >= codePoint);
    return index < count && table.readUInt32BE(16 + index * 12) <= codePoint;
  };
}

/** Returns the map of a table in format 4: sorted segments of the first 65,536 characters. */
function basicPlane(table: Buffer): CharacterMap {
  const count = table.readUInt16BE(6) / 2;
  const [ends, starts] = [14, 16 + count * 2];
  const [deltas, ranges] = [starts + count * 2, starts + count * 4];
  return (codePoint) => {
    const index = firstIndex(count, (segment) => table.readUInt16BE(ends + segment * 2) >= codePoint);
    if (index >= count) return false;
    const start = table.readUInt16BE(starts + index * 2);
    if (start > codePoint || codePoint > 0xffff) return false;
    const range = table.readUInt16BE(ranges + index * 2);
    if (range === 0) return ((codePoint + table.readUInt16BE(deltas + index * 2)) & 0xffff) !== 0;
    return table.readUInt16BE(ranges + index * 2 + range + (codePoint - start) * 2) !== 0;
  };
}

/**
 * Returns the smallest index below `count` for which `isReached` holds, or `count`. `isReached` has to hold for all later
 * indices, too.
 */
function firstIndex(count: number, isReached: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function read(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, position);
  return bytes;
}
