import { take } from "./memory";

/** The size of a set, in words of 64 bits for each stretch. Few hashes that are not in a set pass it, and it fits a cache. */
const STRETCHES_PER_WORD: usize = 2;
const FACTOR: u64 = 0x9e3779b97f4a7c15;

/** A set of hashes that may also seem to hold a few others. Each hash selects a word of 64 bits, and sets two bits in it. */
@unmanaged
class HashSet {
  words: usize;
  /** How far a hash is shifted right to be the number of a word. */
  shift: u64;
}

/** Finds out whether a reading contains one of thousands of stretches. Each sieve holds stretches of about the same length. */
@unmanaged
export class Sieve {
  /** The number of letters in a piece, at most eight. */
  piece: usize;
  /** The distance in letters between two sampled positions, chosen so that a piece of every stretch begins at one of them. */
  step: usize;
  /** The bits that hold the letters of a piece. */
  mask: u64;
  /** The pieces that begin within the first step of a stretch. */
  pieces: HashSet;
  /** The heads of the stretches: the first and the last eight of the letters that every stretch has. */
  heads: HashSet;
  /** Where the last eight letters of a head begin, and the bits that hold them. */
  tail: usize;
  tailMask: u64;
  /** The lengths of the stretches, ascending. */
  lengths: usize;
  lengthCount: usize;
  /** The table of the hashes of whole stretches; 0: a free slot. */
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
  sieve.mask = maskOf(sieve.piece);
  sieve.pieces = createSet(count);
  sieve.heads = createSet(count);
  sieve.tail = max<usize>(8, shortest) - 8;
  sieve.tailMask = maskOf(min<usize>(8, shortest));
  sieve.lengths = take(count * 4);
  sieve.lengthCount = 0;
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

/** Returns the bits of the first of eight letters. */
function maskOf(letters: usize): u64 {
  return letters == 8 ? ~(<u64>0) : ((<u64>1) << (8 * letters)) - 1;
}

function createSet(stretches: usize): HashSet {
  const set = changetype<HashSet>(take(offsetof<HashSet>()));
  const words = <usize>tableMask(stretches / (2 * STRETCHES_PER_WORD)) + 1;
  set.words = cleared(words * 8);
  set.shift = 64 - <u64>ctz(words);
  return set;
}

function addTo(set: HashSet, hash: u64): void {
  const word = set.words + ((<usize>(hash >>> set.shift)) << 3);
  store<u64>(word, load<u64>(word) | bitsOf(hash));
}

/** Returns whether a set with these words and this shift may hold a hash. */
function isInSet(words: usize, shift: u64, hash: u64): bool {
  const bits = bitsOf(hash);
  return (load<u64>(words + ((<usize>(hash >>> shift)) << 3)) & bits) == bits;
}

/** Returns the two bits of a word that belong to a hash. */
function bitsOf(hash: u64): u64 {
  return ((<u64>1) << (hash >>> 35)) | ((<u64>1) << (hash >>> 29));
}

/** Returns the hash of the first letters of a stretch. */
function headAt(sieve: Sieve, text: usize): u64 {
  const tail = load<u64>(text + sieve.tail) & sieve.tailMask;
  return ((load<u64>(text) & sieve.tailMask) * FACTOR + tail) * FACTOR;
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
}

function addStretch(sieve: Sieve, text: usize, length: usize): void {
  for (let at: usize = 0; at < sieve.step; at += 1)
    addTo(sieve.pieces, (load<u64>(text + at) & sieve.mask) * FACTOR);
  addTo(sieve.heads, headAt(sieve, text));
  let hash: u64 = 0;
  for (let at: usize = 0; at < length; at += 1) hash = mixed(hash, load<u8>(text + at));
  store<u64>(slotOf(sieve, hash), hash);
}

/** Adds a letter to a hash. The result is never 0. */
function mixed(hash: u64, letter: u8): u64 {
  return ((hash ^ <u64>letter) * FACTOR) | 1;
}

/** Returns the slot of a whole stretch's hash. */
function slotOf(sieve: Sieve, hash: u64): usize {
  let slot = ((hash * FACTOR) >>> 20) & sieve.stretchMask;
  let known = load<u64>(sieve.stretches + ((<usize>slot) << 3));
  while (known != 0 && known != hash) {
    slot = (slot + 1) & sieve.stretchMask;
    known = load<u64>(sieve.stretches + ((<usize>slot) << 3));
  }
  return sieve.stretches + ((<usize>slot) << 3);
}

/** Returns whether the letters contain one of the stretches. At least 64 bytes must follow the letters. */
export function isIn(sieve: Sieve, letters: usize, length: usize): bool {
  const step = sieve.step;
  const mask = sieve.mask;
  const words = sieve.pieces.words;
  const shift = sieve.pieces.shift;
  const end = letters + length;
  for (let place = letters; place + sieve.piece <= end; place += step) {
    const hash = (load<u64>(place) & mask) * FACTOR;
    if (isInSet(words, shift, hash) && isAround(sieve, place, letters, end)) return true;
  }
  return false;
}

/** Returns whether a whole stretch begins at this position, or less than a step of letters before it. */
function isAround(sieve: Sieve, place: usize, letters: usize, end: usize): bool {
  const words = sieve.heads.words;
  const shift = sieve.heads.shift;
  const first = max(letters + sieve.step, place + 1) - sieve.step;
  // Where fewer letters follow than the shortest stretch has, its head would be read beyond the letters.
  const shortest = sieve.step + sieve.piece - 1;
  for (let at = first; at <= place && at + shortest <= end; at += 1)
    if (isInSet(words, shift, headAt(sieve, at)) && beginsStretch(sieve, at, end)) return true;
  return false;
}

function beginsStretch(sieve: Sieve, text: usize, end: usize): bool {
  let hash: u64 = 0;
  let count: usize = 0;
  for (let index: usize = 0; index < sieve.lengthCount; index += 1) {
    const length = <usize>load<u32>(sieve.lengths + index * 4);
    if (text + length > end) return false;
    for (; count < length; count += 1) hash = mixed(hash, load<u8>(text + count));
    if (load<u64>(slotOf(sieve, hash)) != 0) return true;
  }
  return false;
}
