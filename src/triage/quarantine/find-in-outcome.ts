import type { CanaryDetector } from "./canary-detector.ts";
import type { CanaryHit } from "./secret-search.ts";

/**
 * Returns the first secret in an outcome file, or null. It searches the file as it is, and then its string values joined
 * together, without the keys between them.
 */
export function findInOutcome(bytes: Uint8Array, canaries: CanaryDetector): CanaryHit | null {
  const text = Buffer.from(bytes).toString("utf8");
  return canaries.find(text) ?? canaries.find(stringsOf(text).join("\n"));
}

/**
 * A string of JSON; one that is not closed ends with the text. The expression matches at every quote, so no part of a text is read
 * twice.
 */
const STRING = /"((?:[^"\\]|\\.?)*)(?:"|$)/gs;
const COLON = /\s*:/y;

/** Returns every string value of a JSON text, even of a text that does not parse. */
function stringsOf(text: string): string[] {
  return [...text.matchAll(STRING)]
    .filter((match) => !isKey(text, match.index + match[0].length))
    .map(([, value = ""]) => value);
}

function isKey(text: string, endOfString: number): boolean {
  COLON.lastIndex = endOfString;
  return COLON.test(text);
}
