import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One promise of the project, defined in `docs/behaviour/<area>.md` as a list item that begins with its bold id. */
export interface Row {
  /** Such as `S14`, `policy 7` or `coder failure 17`. */
  id: string;
  /** File name below `docs/behaviour`, without its ending. */
  area: string;
  text: string;
}

/** A file that names a row, relative to the root. */
export interface Use {
  id: string;
  file: string;
  /** Whether it proves the row: a test whose title names it, or a benchmark that measures it. */
  isProof: boolean;
}

const ID = String.raw`[ABCDEHLOPSTVW][1-9]\d?|policy \d|coder failure \d{1,2}`;
const DEFINITION = new RegExp(String.raw`^- \*\*(${ID})\*\* (.+)$`, "gm");
const MENTION = new RegExp(String.raw`(?<![\w.#/&;-])(?:${ID})(?![\w-])`, "gi");
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*$/gm;
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

/** All rows of `docs/behaviour`, in the order of their pages. */
export function readRows(root: string): Row[] {
  const folder = join(root, "docs/behaviour");
  const pages = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  return pages.flatMap((name) => rowsIn(readFileSync(join(folder, name), "utf8"), name.slice(0, -3)));
}

/** The rows that one page defines. */
export function rowsIn(text: string, area: string): Row[] {
  return [...text.matchAll(DEFINITION)].map(([, id = "", said = ""]) => ({ id, area, text: said }));
}

/** Every row that the project's code, tests and scripts name. */
export function readUses(root: string): Use[] {
  const sources = ["src", "scripts", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  return [...sources, ".ci/run"].flatMap((file) => usesIn(readFileSync(join(root, file), "utf8"), file));
}

/** The rows that the comments and strings of one file name. Strings of test files are titles; benchmarks prove what they name. */
export function usesIn(text: string, file: string): Use[] {
  const comments = (text.match(COMMENT) ?? []).join("\n");
  const strings = (text.replaceAll(COMMENT, "").match(STRING) ?? []).join("\n");
  const measured = /^(?:scripts\/bench|\.ci\/)/.test(file);
  const proven = new Set(idsIn(measured ? text : file.startsWith("test/") ? strings : ""));
  // Outside tests a string is data: only a comment there refers to a row.
  return [...new Set([...idsIn(comments), ...proven])].map((id) => ({ id, file, isProof: proven.has(id) }));
}

function idsIn(text: string): string[] {
  return (text.match(MENTION) ?? [])
    .filter((id) => id.length > 3 || /^[A-Z]/.test(id))
    .map((id) => (id.length > 3 ? id.toLowerCase() : id));
}
