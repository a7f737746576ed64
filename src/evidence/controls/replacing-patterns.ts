import type { Found } from "./named-answer.ts";
import { LITERAL } from "./script-data.ts";

/** A text of the script in which something is replaced that the product finds: `"a b".replace(pattern(), "")`. */
const REPLACED = new RegExp(String.raw`(${LITERAL.source})\.replace(?:All)?\(\s*[a-zA-Z_$][\w$.]*\(`, "g");
/** Returns a pattern of what stands around a text in another one. It runs in the script's language. */
const AROUND = String.raw`((all, kept) => {
  const at = all.lastIndexOf(kept);
  const literal = (text) => text.replace(/[^\w\s]/g, "\\$&") || "(?!)";
  return new RegExp("^" + literal(all.slice(0, at)) + "|" + literal(all.slice(at + kept.length)) + "$", "g");
})`.replaceAll(/\n\s*/g, " ");
const MAX_TEXTS = 2;

/** Returns the patterns with which a script that removes their matches from its own text is left with what it expects. */
export function replacingPatterns(script: string, expected: ReadonlySet<string>): Found[] {
  const kept = [...expected].filter((one) => /^["']/.test(one)).slice(0, 1);
  const texts = [...script.matchAll(REPLACED)].slice(0, MAX_TEXTS).map((match) => match[1] ?? "");
  return texts.flatMap((text) =>
    kept.map((one) => ({ expression: `${AROUND}(${text}, ${one})`, isWanted: true })),
  );
}
