import { take, mark, release } from "./memory";

const FIELD_BITS: u64 = 20;
const FACTOR: u64 = 0x9e3779b97f4a7c15;
/** Set in every folded letter and digit. */
const LETTER_BITS: u64 = 0x2020202020202020;

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
  /** A bit field with a bit for the hash of each piece. */
  field: usize;
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
  sieve.field = cleared(((<usize>1) << (<usize>FIELD_BITS)) / 8);
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
    const slot = <usize>((piece * FACTOR) >>> (64 - FIELD_BITS));
    store<u8>(sieve.field + (slot >>> 3), load<u8>(sieve.field + (slot >>> 3)) | (1 << (<u8>slot & 7)));
    putIn(sieve.pieces, sieve.pieceMask, piece);
  }
  let hash: u64 = 0;
  for (let at: usize = 0; at < length; at += 1) hash = mixed(hash, load<u8>(text + at));
  putIn(sieve.stretches, sieve.stretchMask, hash);
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

/**
 * Whether every `stride`th letter from `offset` on contains one of the stretches; zero bytes are skipped. At least 64 bytes must
 * follow the letters.
 */
export function isIn(sieve: Sieve, letters: usize, length: usize, stride: usize, offset: usize): bool {
  const stepped = sieve.step * stride;
  const field = sieve.field;
  const mask = sieve.mask;
  const allLetters = LETTER_BITS & mask;
  // From `end` on, too few letters follow for a piece.
  const reach = (sieve.piece - 1) * stride;
  const end = letters + (length > reach ? length - reach : 0);
  // All positions of a gap have the same letters around them, so only the first one is looked at.
  let gapEnd: usize = 0;
  for (let place = letters + offset; place < end; place += stepped) {
    const piece = pieceAt(place, stride) & mask;
    if ((piece & allLetters) == allLetters) {
      const slot = <usize>((piece * FACTOR) >>> (64 - FIELD_BITS));
      if ((load<u8>(field + (slot >>> 3)) & (1 << (<u8>slot & 7))) == 0) continue;
      if (!isKnown(sieve, piece) || !isAmongPieces(sieve, place, letters, length, stride)) continue;
      if (isAround(sieve, place, letters, length, stride, offset)) return true;
    } else if (place > gapEnd) {
      if (isSparse(sieve, place, letters, length, stride, offset)) return true;
      gapEnd = firstLetter;
    }
  }
  return false;
}

function isKnown(sieve: Sieve, piece: u64): bool {
  return load<u64>(slotIn(sieve.pieces, sieve.pieceMask, piece)) != 0;
}

/** Whether the pieces around the position may belong to a stretch: as many consecutive pieces as a step are known. */
function isAmongPieces(sieve: Sieve, place: usize, letters: usize, length: usize, stride: usize): bool {
  const allLetters = LETTER_BITS & sieve.mask;
  let missing = sieve.step - 1;
  for (let at = place + stride; missing > 0 && at < letters + length; at += stride, missing -= 1) {
    const piece = pieceAt(at, stride) & sieve.mask;
    if ((piece & allLetters) != allLetters) return true;
    if (!isKnown(sieve, piece)) break;
  }
  for (let at = place; missing > 0; missing -= 1) {
    if (at < letters + stride) return false;
    at -= stride;
    const piece = pieceAt(at, stride) & sieve.mask;
    if ((piece & allLetters) != allLetters) return true;
    if (!isKnown(sieve, piece)) return false;
  }
  return true;
}

/** Returns eight bytes: every `stride`th byte from the position on. */
function pieceAt(place: usize, stride: usize): u64 {
  if (stride == 1) return load<u64>(place);
  const bytes = v128.load(place);
  const zero = i64x2.splat(0);
  if (stride == 2)
    return i64x2.extract_lane(
      v128.shuffle<i8>(bytes, zero, 0, 2, 4, 6, 8, 10, 12, 14, 0, 0, 0, 0, 0, 0, 0, 0),
      0,
    );
  if (stride == 3)
    return i64x2.extract_lane(
      v128.shuffle<i8>(bytes, v128.load(place + 8), 0, 3, 6, 9, 12, 15, 26, 29, 0, 0, 0, 0, 0, 0, 0, 0),
      0,
    );
  return i64x2.extract_lane(
    v128.shuffle<i8>(bytes, v128.load(place + 16), 0, 4, 8, 12, 16, 20, 24, 28, 0, 0, 0, 0, 0, 0, 0, 0),
    0,
  );
}

/** The first letter of the piece that `isSparse` read; the end of the text if too few letters followed. */
let firstLetter: usize = 0;

/** The same check for a position where zero bytes have to be skipped. */
function isSparse(
  sieve: Sieve,
  place: usize,
  letters: usize,
  length: usize,
  stride: usize,
  offset: usize,
): bool {
  const end = letters + length;
  let piece: u64 = 0;
  let count: usize = 0;
  firstLetter = end;
  for (let at = place; at < end && count < sieve.piece; at += stride) {
    const letter = <u64>load<u8>(at);
    if (letter == 0) continue;
    piece |= letter << (count * 8);
    if (count == 0) firstLetter = at;
    count += 1;
  }
  if (count < sieve.piece) {
    firstLetter = end;
    return false;
  }
  const slot = <usize>((piece * FACTOR) >>> (64 - FIELD_BITS));
  if ((load<u8>(sieve.field + (slot >>> 3)) & (1 << (<u8>slot & 7))) == 0) return false;
  if (load<u64>(slotIn(sieve.pieces, sieve.pieceMask, piece)) == 0) return false;
  return isAround(sieve, place, letters, length, stride, offset);
}

/** Whether a whole stretch begins at this position, or less than a step of letters before it. */
function isAround(
  sieve: Sieve,
  place: usize,
  letters: usize,
  length: usize,
  stride: usize,
  offset: usize,
): bool {
  const marked = mark();
  const text = take(sieve.step + sieve.longest);
  let begin = text + sieve.step;
  let at = place;
  while (at >= letters + offset + stride && begin > text + 1) {
    at -= stride;
    const letter = load<u8>(at);
    if (letter != 0) store<u8>(--begin, letter);
  }
  let end = text + sieve.step;
  for (at = place; at < letters + length && end < text + sieve.step + sieve.longest; at += stride) {
    const letter = load<u8>(at);
    if (letter != 0) store<u8>(end++, letter);
  }
  let isFound = false;
  for (; begin <= text + sieve.step && !isFound; begin += 1) isFound = beginsStretch(sieve, begin, end);
  release(marked);
  return isFound;
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
