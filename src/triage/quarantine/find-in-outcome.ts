import type { CanaryDetector } from "./canary-detector.ts";
import type { CanaryHit } from "./secret-search.ts";

/** In the file as it is, and in its strings one after the other, without the keys between them. */
export function findInOutcome(bytes: Uint8Array, canaries: CanaryDetector): CanaryHit | null {
  const text = Buffer.from(bytes).toString("utf8");
  return canaries.find(text) ?? canaries.find(stringsOf(text).join("\n"));
}

const STRING = /"((?:[^"\\]|\\.)*)"(?!\s*:)/gs;

/** Every value of a JSON text, also of one that does not parse. */
function stringsOf(text: string): string[] {
  return [...text.matchAll(STRING)].map(([, value = ""]) => value);
}
