import { createHash } from "node:crypto";
import { normalisedText } from "../../github/index.ts";

/**
 * Returns a key that is equal for two spellings of one question: only letters and digits count, and upper and lower case do not
 * matter. 32 bits are enough to distinguish the few questions of one issue. null: the text contains no letter or digit.
 */
export function questionKey(question: string): string | null {
  const words = normalisedText(question, "NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
  return words === "" ? null : createHash("sha256").update(words).digest("hex").slice(0, 8);
}
