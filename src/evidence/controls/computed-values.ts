import type { Found } from "./named-answer.ts";
import { EXPECTED_NAME } from "./script-data.ts";

const MAX_VALUES = 2;
/** Matches an assignment to a variable whose name says that it contains the expected value. */
const ASSIGNED = new RegExp(
  String.raw`(?<![\w$.])${EXPECTED_NAME}\w*\s*=\s*([^;\n]{1,200}?)\s*(?:;|$)`,
  "gim",
);
const STRINGS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
/** Matches an expression of names, numbers, calls and operators without side effects. Its texts have been replaced. */
const PLAIN = /^[\w$\s.,:()[\]{}+*/%-]*$/;
const CHANGES = /\+\+|--|\/\//;
/** Names of the run time whose use has no side effects. */
const GLOBALS = new Set(
  `JSON Object Array String Number Boolean Math Buffer Date Map Set BigInt encodeURI encodeURIComponent decodeURI decodeURIComponent
parseInt parseFloat new null undefined true false NaN Infinity`.split(/\s+/),
);
/** Their methods, and those of texts, numbers, dates and lists. */
const METHODS = new Set(
  `stringify parse keys values entries fromEntries from of fill fromCharCode fromCodePoint repeat padStart padEnd join concat slice
split reverse sort flat toString toUpperCase toLowerCase trim toISOString toFixed UTC abs floor ceil round trunc max min pow PI length
isArray byteLength alloc`.split(/\s+/),
);

/** Returns the expected values that a script computes from literals with functions of the run time: `want = JSON.stringify([1])`. */
export function computedAsExpected(script: string): Found[] {
  return [...script.matchAll(ASSIGNED)]
    .flatMap(([, expression = ""]) => (isComputed(expression) ? [expression] : []))
    .slice(0, MAX_VALUES)
    .map((expression) => ({ expression, isWanted: true }));
}

function isComputed(expression: string): boolean {
  const plain = expression.replaceAll(STRINGS, "0");
  if (!plain.includes("(") || !PLAIN.test(plain) || CHANGES.test(plain)) return false;
  return [...plain.matchAll(/(\.\s*)?(?<![\w$])([a-zA-Z_$][\w$]*)(\s*:)?/g)].every(
    ([, dot, name = "", colon]) => {
      if (colon !== undefined && dot === undefined) return true;
      return (dot === undefined ? GLOBALS : METHODS).has(name);
    },
  );
}
