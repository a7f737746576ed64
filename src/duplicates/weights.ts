/** Returns the inverse document frequency of BM25 (Robertson and Spärck Jones): 0 or more, larger for rarer words. */
export function rarity(issuesWithTerm: number, issues: number): number {
  return Math.log(1 + (issues - issuesWithTerm + 0.5) / (issuesWithTerm + 0.5));
}

/** The saturation constant of BM25: how fast further repetitions of a word stop counting. */
const K1 = 1.2;

/** Returns BM25's contribution of one word, which grows with its count and saturates. */
export function saturated(count: number): number {
  return (count * (K1 + 1)) / (count + K1);
}

/** Returns the length normalisation of BM25F for one field. */
export function normalLength(length: number, average: number, share: number): number {
  return 1 - share + (share * length) / average;
}

/**
 * The fixed weights of the signals whose sum ranks candidates. They come from a softmax regression over the duplicates of three
 * public trackers (docs/adr), rounded; no tracker has weights of its own.
 */
export const SIGNAL_WEIGHTS = {
  wholeText: 0.6,
  titleInBody: 3.5,
  bodies: 1.8,
  titleGrams: 2.5,
  rareWords: 1.1,
  wholeTextRank: 1.3,
  titleRank: 1.05,
  titleText: 2.3,
  age: -2.6,
  recent: 1.8,
  samePrefix: 0.85,
} as const;

export type SignalName = keyof typeof SIGNAL_WEIGHTS;
export type Signals = Record<SignalName, number>;
