import type { FlagRecorder } from "./hidden-text.ts";
import { removeInvisible } from "./invisible-characters.ts";
import { type Edit, isInRange } from "./text-edits.ts";

const LESS = "(?:<|&lt;|&#0{0,5}60;|&#x0{0,5}3c;)";
const GREATER = "(?:>|&gt;|&#0{0,5}62;|&#x0{0,5}3e;)";
const BANG = "(?:!|&excl;|&#0{0,5}33;|&#x0{0,5}21;)";
const DASH = "(?:-|&#0{0,5}45;|&#x0{0,5}2d;)";
const ENCODED = new RegExp(
  `(${LESS}${BANG}${DASH}${DASH})|(${DASH}${DASH}${GREATER})|&#(?:x([0-9a-f]{1,6})|(\\d{1,7}));|&(?:ZeroWidthSpace|NoBreak|InvisibleTimes|InvisibleComma|ApplyFunction|shy|zwj|zwnj|lrm|rlm|it|ic|af);`,
  "gi",
);

/**
 * Returns edits for entities that spell a comment or an invisible character, outside code and HTML: the ordered ranges `skipped`.
 */
export function hiddenEntityEdits(
  text: string,
  skipped: readonly [number, number][],
  recorder: FlagRecorder,
): Edit[] {
  return [...text.matchAll(ENCODED)].flatMap((match) => {
    const [source, opener, closer, hex, decimal] = match;
    const start = match.index;
    if (isInRange(start, skipped)) return [];
    const edit = { start, end: start + source.length };
    if (opener !== undefined) {
      recorder.record("encoded-comment", text.slice(start, start + 80));
      return [{ ...edit, text: "(comment: " }];
    }
    if (closer !== undefined)
      return source.startsWith("--") && source.endsWith(">") ? [] : [{ ...edit, text: ")" }];
    const value = hex === undefined ? Number(decimal ?? 0x200b) : Number.parseInt(hex, 16);
    const character = value > 0 && value <= 0x10ffff ? String.fromCodePoint(value) : "";
    if (removeInvisible(character) !== "") return [];
    recorder.record("zero-width-characters", `${source} `);
    return [{ ...edit, text: "" }];
  });
}
