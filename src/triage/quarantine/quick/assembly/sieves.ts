import { createSieve, isIn, Sieve } from "./sieve";

/**
 * Sieves by the length of their stretches: those in `LONG` are used for every reading of a text, those in `SHORT` only for the
 * text itself.
 */
const MOST_SIEVES: i32 = 8;
const LONG: usize = memory.data(MOST_SIEVES * 4, 16);
const SHORT: usize = memory.data(MOST_SIEVES * 4, 16);
/** Fewer bytes contain nothing that can be decoded. */
const MIN_STRETCH: usize = 12;

let longCount: i32 = 0;
let shortCount: i32 = 0;
let leastBytes: usize = MIN_STRETCH;

/** Adds a sieve. `isShort`: its stretches count only in the text itself. See `createSieve` for the other parameters. */
export function addSieve(texts: usize, lengths: usize, count: usize, shortest: usize, isShort: bool): void {
  const sieve = createSieve(texts, lengths, count, shortest);
  if (isShort) store<usize>(SHORT + 4 * shortCount++, changetype<usize>(sieve));
  else {
    store<usize>(LONG + 4 * longCount++, changetype<usize>(sieve));
    leastBytes = min(leastBytes, shortest);
  }
}

/** Returns the minimum size of a decoded text: fewer bytes contain neither a stretch nor a further encoding. */
export function leastDecoded(): usize {
  return leastBytes;
}

export function isInLong(letters: usize, length: usize): bool {
  for (let index = 0; index < longCount; index += 1)
    if (isIn(changetype<Sieve>(load<usize>(LONG + 4 * index)), letters, length)) return true;
  return false;
}

export function isInAny(letters: usize, length: usize): bool {
  for (let index = 0; index < shortCount; index += 1)
    if (isIn(changetype<Sieve>(load<usize>(SHORT + 4 * index)), letters, length)) return true;
  return isInLong(letters, length);
}
