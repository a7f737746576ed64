import { type Connection, isSignedOut } from "../data/index.ts";

const WORDS = {
  connecting: ["connecting", "quiet"],
  open: ["live", "good"],
  lost: ["offline", "bad"],
  refused: ["no updates", "bad"],
  still: ["static report", "quiet"],
} as const;

/** Returns the connection in a word or two, and its tone. */
export function connectionWords(connection: Connection): readonly [words: string, tone: string] {
  if (connection.type === "refused" && isSignedOut(connection.failure)) return ["signed out", "bad"];
  return WORDS[connection.type];
}
