import { plainText } from "../../github/index.ts";
import { canaryGrams, fold } from "./canary-forms.ts";
import { decodedStretches } from "./decoded-stretches.ts";
import { GramIndex } from "./gram-index.ts";
import type { ParentSecret } from "./parent-secrets.ts";
import { normalised, spreadReadings } from "./text-readings.ts";

/** A secret of the parent was found, as a whole or in part. The value itself is never part of it. */
export interface CanaryHit {
  /** The variable of the parent's environment, or where else it was read. */
  name: string;
  /** How it was written: `plain`, `base64`, `hex of rot13`, `every 2. character`. */
  form: string;
}

/** S8: knows the parent's secrets, and recognises them in what a Triage Agent or a program under triage wrote. */
export interface CanaryDetector {
  /** A secret that was obtained while running: a renewed token, one of an installation, the board's (S25). */
  watch(secret: ParentSecret): void;
  /** null: none is in it. Compressed or encrypted ones are not seen, nor ones told in other words. */
  find(text: string): CanaryHit | null;
  /** The text, or a notice in its place when it holds a secret. For messages, logs and the store. */
  withhold(text: string): string;
}

/** Taken apart no more often than this: `%2541` is `%41` is `A`. */
const MAX_UNESCAPES = 3;

export function createCanaryDetector(secrets: readonly ParentSecret[]): CanaryDetector {
  const index = new GramIndex();
  const known = new Set<string>();
  const watch = ({ name, value, isPhrase = false }: ParentSecret): void => {
    if (known.has(value)) return;
    known.add(value);
    index.add(canaryGrams(value, isPhrase).map((gram) => Object.assign(gram, { name })));
  };
  for (const secret of secrets) watch(secret);
  const find = (text: string): CanaryHit | null => {
    if (index.isEmpty) return null;
    // Inside an escape sequence, too: a terminal's title, a link, the clipboard.
    const raw = index.find(fold(text), "all");
    if (raw !== null) return raw;
    // What a terminal takes back is not on its screen, and letters are letters with or without marks.
    let view = normalised(plainText(text.replaceAll(/[^\x08]\x08/g, "")));
    for (let pass = 0; pass <= MAX_UNESCAPES; pass += 1) {
      const hit = index.find(fold(view), "all");
      if (hit !== null) return hit;
      const next = unescaped(view);
      if (next === view) break;
      view = next;
    }
    return findIn(spreadReadings(view), index) ?? findIn(decodedStretches(view), index);
  };
  return {
    watch,
    find,
    withhold: (text) => {
      const hit = find(text);
      return hit === null ? text : `[withheld: it holds the parent's secret ${hit.name} (${hit.form})]`;
    },
  };
}

/** Of the many readings of a text only a long stretch is telling: a short one may come about by chance. */
function findIn(readings: Iterable<{ text: string; form: string }>, index: GramIndex): CanaryHit | null {
  for (const { text, form } of readings) {
    const hit = index.find(fold(text), "long");
    if (hit !== null) return { name: hit.name, form: hit.form === "plain" ? form : `${form} of ${hit.form}` };
  }
  return null;
}

const ESCAPED =
  /(?:%(?:25){0,30}|\b0x)([0-9a-f]{2})|&(?:amp;){0,30}#0{0,30}(\d{1,7});?|&(?:amp;){0,30}#x0{0,30}([0-9a-f]{1,6});?|\\x([0-9a-f]{2})|\\(?:u0000|u)([0-9a-f]{4})|\\u\{0{0,30}([0-9a-f]{1,6})\}|\\0?([0-3][0-7]{2})|\\[nrtbfv]/gi;

/** One level of URL, HTML, JSON, JavaScript and shell escapes taken away. */
function unescaped(text: string): string {
  return text.replaceAll(ESCAPED, (source, url, decimal, hex, x, u, braced, octal) => {
    // A line end, as JSON and shells write it.
    if (source.length === 2) return " ";
    const hexadecimal = (url ?? hex ?? x ?? u ?? braced) as string | undefined;
    const code =
      hexadecimal !== undefined
        ? Number.parseInt(hexadecimal, 16)
        : decimal === undefined
          ? Number.parseInt(String(octal), 8)
          : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : source;
  });
}
