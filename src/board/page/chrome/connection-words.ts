import type { Connection } from "../data/index.ts";

const WORDS = {
  connecting: ["connecting", "quiet"],
  open: ["live", "good"],
  lost: ["offline", "bad"],
  refused: ["no updates", "bad"],
  still: ["static report", "quiet"],
} as const;

/** Returns the connection in a word or two, and its tone. */
export function connectionWords(
  { type }: Connection,
  isSignedOut: boolean,
): readonly [words: string, tone: string] {
  return isSignedOut ? ["signed out", "bad"] : WORDS[type];
}
