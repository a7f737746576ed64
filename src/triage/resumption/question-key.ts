import { createHash } from "node:crypto";

/**
 * What two wordings of the same question share: letters and digits, in one case. 32 bits tell apart the few questions of
 * one issue. null: there is nothing to compare.
 */
export function questionKey(question: string): string | null {
  const words = question
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
  return words === "" ? null : createHash("sha256").update(words).digest("hex").slice(0, 8);
}
