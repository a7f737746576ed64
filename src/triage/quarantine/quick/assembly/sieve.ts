import { take } from "./memory";

/** The size of a bit field, in words of 64 bits for each stretch. Few pieces that are not of a stretch pass it, and it fits a cache. */
const STRETCHES_PER_WORD: usize = 2;
const FACTOR: u64 = 0x9e3779b97f4a7c15;

/** Finds out whether a reading contains one of thousands of stretches. Each sieve holds stretches of about the same length. */
@unmanaged
export class Sieve {
  /** The number of letters in a piece, at most eight. */
  piece: usize;
  /** The distance in letters between two sampled positions, chosen so that a piece of every stretch begins at one of them. */
  step: usize;
  /** The bits that hold the letters of a piece. */
  mask: u64;
  /** The lengths of the stretches, ascending. */
  lengths: usize;
  lengthCount: usize;
  longest: usize;
  /** A field of words of 64 bits. The hash of each piece selects a word, and sets two bits in it. */
  field: usize;
  /** How far a hash is shifted right to be the number of a word. */
  fieldShift: u64;
  /** The tables of pieces and of the hashes of whole stretches; 0: a free slot. */
  pieces: usize;
  pieceMask: u64;
  stretches: usize;
  stretchMask: u64;
}

/**
 * Creates a sieve. `texts` are `count` concatenated stretches with the given 32-bit `lengths`, of which the shortest is
 * `shortest`.
 */
export function createSieve(texts: usize, lengths: usize, count: usize, shortest: usize): Sieve {
  const sieve = changetype<Sieve>(take(offsetof<Sieve>()));
  sieve.piece = shortest >= 28 ? 8 : shortest >= 14 ? 6 : max<usize>(1, min<usize>(5, shortest - 3));
  sieve.step = shortest - sieve.piece + 1;
  sieve.mask = sieve.piece == 8 ? ~(<u64>0) : ((<u64>1) << (8 * sieve.piece)) - 1;
  sieve.lengths = take(count * 4);
  sieve.lengthCount = 0;
  const words = <usize>tableMask(count / (2 * STRETCHES_PER_WORD)) + 1;
  sieve.field = cleared(words * 8);
  sieve.fieldShift = 64 - <u64>ctz(words);
  sieve.pieceMask = tableMask(count * sieve.step);
  sieve.pieces = cleared((<usize>sieve.pieceMask + 1) * 8);
  sieve.stretchMask = tableMask(count);
  sieve.stretches = cleared((<usize>sieve.stretchMask + 1) * 8);
  for (let index: usize = 0; index < count; index += 1) {
    const length = <usize>load<u32>(lengths + index * 4);
    addLength(sieve, <u32>length);
    addStretch(sieve, texts, length);
    texts += length;
  }
  return sieve;
}

function cleared(bytes: usize): usize {
  const at = take(bytes);
  memory.fill(at, 0, bytes);
  return at;
}

/** Returns the mask of a table in which at least half of the slots stay free. */
function tableMask(entries: usize): u64 {
  let size: usize = 16;
  while (size < entries * 2) size *= 2;
  return <u64>size - 1;
}

function addLength(sieve: Sieve, length: u32): void {
  let at: usize = 0;
  while (at < sieve.lengthCount && load<u32>(sieve.lengths + at * 4) < length) at += 1;
  const place = sieve.lengths + at * 4;
  if (at < sieve.lengthCount && load<u32>(place) == length) return;
  memory.copy(place + 4, place, (sieve.lengthCount - at) * 4);
  store<u32>(place, length);
  sieve.lengthCount += 1;
  sieve.longest = max(sieve.longest, <usize>length);
}

function addStretch(sieve: Sieve, text: usize, length: usize): void {
  for (let at: usize = 0; at < sieve.step; at += 1) {
    const piece = load<u64>(text + at) & sieve.mask;
    const hash = piece * FACTOR;
    const word = sieve.field + ((<usize>(hash >>> sieve.fieldShift)) << 3);
    store<u64>(word, load<u64>(word) | bitsOf(hash));
    putIn(sieve.pieces, sieve.pieceMask, piece);
  }
  let hash: u64 = 0;
  for (let at: usize = 0; at < length; at += 1) hash = mixed(hash, load<u8>(text + at));
  putIn(sieve.stretches, sieve.stretchMask, hash);
}

/** Returns the two bits of a word that belong to a hash. */
function bitsOf(hash: u64): u64 {
  return ((<u64>1) << (hash >>> 35)) | ((<u64>1) << (hash >>> 29));
}

/** Adds a letter to a hash. The result is never 0. */
function mixed(hash: u64, letter: u8): u64 {
  return ((hash ^ <u64>letter) * FACTOR) | 1;
}

function slotIn(table: usize, tableMask: u64, key: u64): usize {
  let slot = ((key * FACTOR) >>> 20) & tableMask;
  let known = load<u64>(table + ((<usize>slot) << 3));
  while (known != 0 && known != key) {
    slot = (slot + 1) & tableMask;
    known = load<u64>(table + ((<usize>slot) << 3));
  }
  return table + ((<usize>slot) << 3);
}

function putIn(table: usize, tableMask: u64, key: u64): void {
  store<u64>(slotIn(table, tableMask, key), key);
}

/** Whether the letters contain one of the stretches. At least 64 bytes must follow the letters. */
export function isIn(sieve: Sieve, letters: usize, length: usize): bool {
  const step = sieve.step;
  const field = sieve.field;
  const shift = sieve.fieldShift;
  const mask = sieve.mask;
  const end = letters + length;
  for (let place = letters; place + sieve.piece <= end; place += step) {
    const piece = load<u64>(place) & mask;
    const hash = piece * FACTOR;
    const bits = bitsOf(hash);
    if ((load<u64>(field + ((<usize>(hash >>> shift)) << 3)) & bits) != bits) continue;
    if (!isKnown(sieve, piece) || !isAmongPieces(sieve, place, letters, end)) continue;
    if (isAround(sieve, place, letters, end)) return true;
  }
  return false;
}

function isKnown(sieve: Sieve, piece: u64): bool {
  return load<u64>(slotIn(sieve.pieces, sieve.pieceMask, piece)) != 0;
}

/** Whether the pieces around the position may belong to a stretch: as many consecutive pieces as a step are known. */
function isAmongPieces(sieve: Sieve, place: usize, letters: usize, end: usize): bool {
  let missing = sieve.step - 1;
  for (let at = place + 1; missing > 0 && at + sieve.piece <= end; at += 1, missing -= 1)
    if (!isKnown(sieve, load<u64>(at) & sieve.mask)) break;
  for (let at = place; missing > 0; missing -= 1) {
    at -= 1;
    if (at < letters || !isKnown(sieve, load<u64>(at) & sieve.mask)) return false;
  }
  return true;
}

/** Whether a whole stretch begins at this position, or less than a step of letters before it. */
function isAround(sieve: Sieve, place: usize, letters: usize, end: usize): bool {
  for (let back: usize = 0; back < sieve.step && place >= letters + back; back += 1)
    if (beginsStretch(sieve, place - back, end)) return true;
  return false;
}

function beginsStretch(sieve: Sieve, text: usize, end: usize): bool {
  let hash: u64 = 0;
  let count: usize = 0;
  for (let index: usize = 0; index < sieve.lengthCount; index += 1) {
    const length = <usize>load<u32>(sieve.lengths + index * 4);
    if (text + length > end) return false;
    for (; count < length; count += 1) hash = mixed(hash, load<u8>(text + count));
    if (load<u64>(slotIn(sieve.stretches, sieve.stretchMask, hash)) != 0) return true;
  }
  return false;
}
