import type { FlagRecorder } from "./hidden-text.ts";
import { type Edit, isInRange } from "./text-edits.ts";

const HIDDEN_FORMULA_NOTICE = "(formula with hidden text removed)";

/** GitHub's three forms of a formula in a text: `$$x$$`, `$x$`, and a code span between two dollar signs. */
const FORMULA =
  /\$\$(?:[^$\n]|\n(?![ \t]*\n)){1,5000}\$\$|\$`[^`\n]{1,5000}`\$|(?<![\w$\\])\$(?=[^\s$`])[^$\n`]{1,2000}(?<=[^\s\\])\$(?![\w$])/g;

/** Matches what makes a part of a formula invisible: a comment, a placeholder, an unused macro, the colour of the page. */
const HIDES =
  /(?<!\\)%|\\(?:[hv]?phantom|[lr]lap|smash|label|mathchoice|tiny|x?def|gdef|edef|let|(?:re|provide)?newcommand|(?:re)?newenvironment|require)(?![a-z])|\\(?:text)?color(?:box)?\s{0,9}\{?\s{0,9}(?:white|transparent|#fff)/i;

/**
 * Returns edits that remove the formulas in which text is hidden, outside the ordered ranges `skipped`, because GitHub draws a
 * formula and does not show its source.
 */
export function hiddenMathEdits(
  text: string,
  skipped: readonly [number, number][],
  recorder: FlagRecorder,
): Edit[] {
  return [...text.matchAll(FORMULA)].flatMap(({ 0: source, index: start }) => {
    if (!HIDES.test(source) || isInRange(start, skipped)) return [];
    recorder.record("drawn-code", source);
    return [{ start, end: start + source.length, text: HIDDEN_FORMULA_NOTICE }];
  });
}
