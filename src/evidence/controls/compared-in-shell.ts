import { isComparedAsFile, isWrittenAsExpected } from "./documents-in.ts";
import { EXPECTED_NAME } from "./script-data.ts";

/** Matches a shell word without variables. Its text is in the second group if it is quoted, otherwise in the third. */
const WORD = String.raw`(?:(["'])([^"'$\x60\n]{1,200})\1|([\p{L}\p{N}_.:\/@+\-]+))`;
const COMPARES = String.raw`(?:=|==|!=|-eq|-ne)\s+`;
const START = String.raw`(?:^|[\n;&|!({]|\b(?:if|while|until|then|do))[ \t]{0,40}`;
const COMPARED = [
  new RegExp(String.raw`\[\[?\s[^\]\n]{0,200}?\s${COMPARES}${WORD}\s+\]`, "gu"),
  new RegExp(String.raw`${START}test\s[^\n;&|]{0,200}?\s${COMPARES}${WORD}`, "gu"),
  new RegExp(String.raw`(?:\[\[?|${START}test)\s+${WORD}\s+${COMPARES}`, "gu"),
];
/** Matches an assignment to a variable whose name says that it contains the expected value. */
const ASSIGNED = new RegExp(
  String.raw`(?<![\w$.\-])${EXPECTED_NAME}\w*=([\p{L}\p{N}_.:\/@+\-]+)(?=[\s;&|])`,
  "giu",
);
const WRITTEN =
  /\b(?:echo|printf\s+(?:'[^'\n]{0,40}'|"[^"\n]{0,40}"))\s+([^"'`$\n;|&<>()]{1,200}?)(?=\s*[>)])/g;
const SEARCH = /\bgrep\s+(?:-\w+\s+)*(?:(["'])((?:(?!\1)[^\\\n]|\\.){1,200})\1|([\w.:/@+-]+))/g;
/** Matches a property with its value, as programs print it. */
const FIELD = /^["']?([a-zA-Z_$][\w$]*)["']?\s*[:= ]\s*(["']?)([^"']{1,100})\2,?$/;

/**
 * Returns the words with which a shell script compares an answer: in `[ … ]`, in `test`, in `grep` and in the patterns of `case`;
 * and the values of variables named as expected and the lines that it writes to a file of expected output.
 */
export function comparedInShell(text: string): string[] {
  const words = COMPARED.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, , quoted, bare]) => quoted ?? bare ?? ""),
  );
  const assigned = [...text.matchAll(ASSIGNED)].map((match) => match[1] ?? "");
  const written = [...text.matchAll(WRITTEN)].flatMap(({ 0: whole, 1: line = "", index }) =>
    isWrittenAsExpected(text, index + whole.length) ||
    isComparedAsFile(text.slice(Math.max(0, index - 10), index + whole.length - line.length))
      ? [line]
      : [],
  );
  const patterns = [...text.matchAll(/\bcase\s[^\n;]{1,80}\sin\b([\s\S]{1,400}?)\besac\b/g)].flatMap(
    (match) =>
      [...(match[1] ?? "").matchAll(/(?:^|\n|;;)\s*\(?([\w.:/@+|=,%~-]+)\)/g)].flatMap((one) =>
        (one[1] ?? "").split("|"),
      ),
  );
  return [...words, ...assigned, ...written, ...searchedInShell(text), ...patterns];
}

/** Returns the texts that `grep` searches for, without the anchors and backslashes of a regular expression. */
function searchedInShell(text: string): string[] {
  const searched = [...text.matchAll(SEARCH)].map(([, , quoted, word = ""]) =>
    quoted === undefined ? word : quoted.replaceAll(/^\^|(?<!\\)\$$/g, "").replaceAll(/\\(.)/g, "$1"),
  );
  // A pattern such as `.` contains no text.
  return searched.filter((one) => /[\p{L}\p{N}]/u.test(one));
}

/** Returns the properties that `grep` searches for in a script's output, such as `"a": 1` or `a x`. */
export function searchedFields(text: string): Map<string, string> {
  return new Map(
    searchedInShell(text).flatMap((searched): [string, string][] => {
      const [, name = "", , value = ""] = FIELD.exec(searched) ?? [];
      if (name === "") return [];
      return [[name, /^(?:-?\d+(?:\.\d+)?|true|false|null)$/.test(value) ? value : JSON.stringify(value)]];
    }),
  );
}
