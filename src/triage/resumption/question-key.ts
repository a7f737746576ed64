import { createHash } from "node:crypto";

/**
 * A key that is equal for two wordings of the same question: letters and digits, in one case. 32 bits distinguish the
 * few questions of one issue. null: the text has nothing to compare.
 */
export function questionKey(question: string): string | null {
  const words = question
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
  return words === "" ? null : createHash("sha256").update(words).digest("hex").slice(0, 8);
}
