import type { Claim } from "../claim.ts";
import { claimedText } from "../claim.ts";

/** Matches the place, the source line and the marks under it that Node.js prints above an uncaught error. */
const SOURCE_LINE = /^\S[^\n]*:\d+\n[^\n]*\n[ \t]*\^+[ \t]*$/gm;

/**
 * Returns whether an output contains the claimed text only in the source line that Node.js prints above an uncaught error. The
 * program then shows its own text, whatever the error is.
 */
export function isOnlyInSourceLine({ expect }: Pick<Claim, "expect">, output: string): boolean {
  const claimed = expect?.outputContains ?? "";
  if (claimed.trim() === "" || claimedText(claimed, output) === null) return false;
  return claimedText(claimed, output.replaceAll(SOURCE_LINE, "")) === null;
}
