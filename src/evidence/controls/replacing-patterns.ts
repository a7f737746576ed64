import type { Found } from "./named-answer.ts";
import { LITERAL } from "./script-data.ts";

/** Matches a text of the script from which the matches of the product's pattern are removed: `"a b".replace(pattern(), "")`. */
const REPLACED = new RegExp(String.raw`(${LITERAL.source})\.replace(?:All)?\(\s*[a-zA-Z_$][\w$.]*\(`, "g");
/**
 * An expression for a function that returns a pattern which matches everything before and after a text inside another text. It runs
 * in the script's language.
 */
const AROUND = String.raw`((all, kept) => {
  const at = all.lastIndexOf(kept);
  const literal = (text) => text.replace(/[^\w\s]/g, "\\$&") || "(?!)";
  return new RegExp("^" + literal(all.slice(0, at)) + "|" + literal(all.slice(at + kept.length)) + "$", "g");
})`.replaceAll(/\n\s*/g, " ");
const MAX_TEXTS = 2;

/**
 * Returns patterns for a script that removes the matches of the product's pattern from a text: the remaining text is the one that
 * the script expects.
 */
export function replacingPatterns(script: string, expected: ReadonlySet<string>): Found[] {
  const kept = [...expected].filter((one) => /^["']/.test(one)).slice(0, 1);
  const texts = [...script.matchAll(REPLACED)].slice(0, MAX_TEXTS).map((match) => match[1] ?? "");
  return texts.flatMap((text) =>
    kept.map((one) => ({ expression: `${AROUND}(${text}, ${one})`, isWanted: true })),
  );
}
