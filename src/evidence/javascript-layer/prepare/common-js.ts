import type { Stats } from "node:fs";
import { wrap } from "node:module";
import { basename } from "node:path";
import { Script } from "node:vm";
import { commented, relativeTo, rewrite } from "./files.ts";

/** Writes a CommonJS module with a layer. `loads`: the product's own text does not run. */
export function layerScript(file: string, text: string, layer: string, stat: Stats, loads: boolean): void {
  const from = JSON.stringify(relativeTo(file, layer));
  const program = `if (require.main === module) require(${from}).program();`;
  if (loads) {
    const inert = `;require(${from}).restoreBuiltIns();${program}module.exports = require(${from}).inert();`;
    rewrite(file, `${inert}\n${commented(text)}`, stat);
    return;
  }
  const head = headOf(text);
  // A product may read its own files as text and run them elsewhere.
  const isModule = `typeof require === "function" && typeof module === "object" && module`;
  const name = JSON.stringify(basename(file));
  const starts = isPlainScript(text)
    ? `if (require(${from}).starts(module, "${encoded(text)}")) return;`
    : "";
  const start = `;if (${isModule}) { require(${from}).restoreBuiltIns();${program}${starts} }`;
  const end = `\n;if (${isModule}) { require(${from}).restoreBuiltIns();module["exports"] = require(${from}).of(module.exports, ${name}, module); }\n`;
  rewrite(file, head + start + text.slice(head.length) + end, stat);
}

const SPACE = /\s+/y;
const STRICT = /(?:"use strict"|'use strict')\s*;?/y;

/** Returns the first line if it names an interpreter, and all text up to the end of the directive `"use strict"` if there is one. */
function headOf(text: string): string {
  const first = /^#![^\n]*\n/.exec(text)?.[0] ?? "";
  let at = first.length;
  for (let before = -1; before !== at;) {
    before = at;
    SPACE.lastIndex = at;
    if (SPACE.test(text)) at = SPACE.lastIndex;
    const end = text.startsWith("//", at) ? "\n" : "*/";
    const isComment = text.startsWith("//", at) || text.startsWith("/*", at);
    const found = isComment ? text.indexOf(end, at + 2) : -1;
    if (found !== -1) at = found + end.length;
  }
  STRICT.lastIndex = at;
  return STRICT.test(text) ? text.slice(0, STRICT.lastIndex) : first;
}

const withoutShebang = (text: string): string => text.replace(/^#![^\n]*/, "");

/** The run time runs this text, so an edit of the file (in a copy, in memory, while it loads) has no effect. */
const encoded = (text: string): string => Buffer.from(withoutShebang(text)).toString("base64");

/** Returns whether the run time takes the text as it is. A loader of another language gives it the text that it has translated. */
function isPlainScript(text: string): boolean {
  try {
    return new Script(wrap(withoutShebang(text))) instanceof Script;
  } catch {
    return false;
  }
}
