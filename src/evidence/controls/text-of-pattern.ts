const QUANTIFIER = /(?:[*+?]|\{(\d{1,2})(?:,\d*)?\})\??/y;
const CLASS = /\[(\^?)((?:\\.|[^\]\\])+)\]/y;
const GROUP = /\((?:\?:|\?<[a-zA-Z_]\w*>)?(?!\?)/y;
/** A character for each class that a letter names. Every other escaped character matches itself. */
const ESCAPED: Readonly<Record<string, string>> = {
  d: "1",
  w: "a",
  s: " ",
  D: "a",
  S: "a",
  W: " ",
  n: "\n",
  t: "\t",
  b: "",
  B: "",
};
const MAX_DEPTH = 10;

/**
 * Returns a text that a pattern matches: the first of several alternatives, and optional parts once. The text is derived from the
 * pattern's source and not tested, because matching a pattern of a script may take forever. null: the pattern uses a feature that
 * is not supported.
 */
export function textOfPattern(pattern: string): string | null {
  const reading = { pattern, at: 0 };
  const text = alternatives(reading, 0);
  return reading.at < pattern.length ? null : text;
}

interface Reading {
  readonly pattern: string;
  at: number;
}

function alternatives(reading: Reading, depth: number): string | null {
  let first: string | null = null;
  let text = "";
  while (reading.at < reading.pattern.length && reading.pattern[reading.at] !== ")") {
    if (reading.pattern[reading.at] === "|") {
      first ??= text;
      text = "";
      reading.at += 1;
      continue;
    }
    const one = item(reading, depth);
    if (one === null) return null;
    const quantifier = take(QUANTIFIER, reading);
    text += one.repeat(Number(quantifier?.[1] ?? 1));
    if (text.length > 200) return null;
  }
  return first ?? text;
}

function item(reading: Reading, depth: number): string | null {
  const character = reading.pattern[reading.at] ?? "";
  if (character === "(") {
    if (take(GROUP, reading) === null || depth >= MAX_DEPTH) return null;
    const text = alternatives(reading, depth + 1);
    reading.at += 1;
    return text;
  }
  if (character === "[") {
    const found = take(CLASS, reading);
    if (found === null) return null;
    const [, isOther = "", inside = ""] = found;
    return isOther === "" ? characterOf(inside) : "q";
  }
  if (character === "\\") {
    reading.at += 2;
    return characterOf(reading.pattern.slice(reading.at - 2));
  }
  reading.at += 1;
  if ("*+?{".includes(character)) return null;
  if (character === ".") return "a";
  return "^$".includes(character) ? "" : character;
}

/**
 * Returns the first character of a text, or the character that an escape at its beginning matches; null: the escape is a reference
 * to a group or a Unicode property.
 */
function characterOf(text: string): string | null {
  if (!text.startsWith("\\")) return text.charAt(0);
  const character = text.charAt(1);
  if (/[\dkpPuxc]/.test(character)) return null;
  return ESCAPED[character] ?? character;
}

function take(pattern: RegExp, reading: Reading): RegExpExecArray | null {
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.pattern);
  if (found !== null) reading.at += found[0].length;
  return found;
}
