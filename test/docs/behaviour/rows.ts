import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** One requirement of the project, defined in `docs/behaviour/<area>.md` as a list item that begins with its bold id. */
export interface Row {
  /** For example `S14`, `policy 7` or `coder failure 17`. */
  id: string;
  /** File name below `docs/behaviour`, without its extension. */
  area: string;
  text: string;
}

/** A file that names a row, relative to the root. */
export interface Use {
  id: string;
  file: string;
  /** Whether the file proves the row: a test whose title names the row, or a benchmark that measures it. */
  isProof: boolean;
}

const ID = String.raw`[ABCDEHLOPSTVW][1-9]\d?|F[1-9]|policy \d|coder failure \d{1,2}`;
const DEFINITION = new RegExp(String.raw`^- \*\*(${ID})\*\* (.+)$`, "gm");
const MENTION = new RegExp(String.raw`(?<![\w.#/&;-])(?:${ID})(?![\w-])`, "gi");
/** Reads all rows of `docs/behaviour`, in the order of their pages. */
export function readRows(root: string): Row[] {
  const folder = join(root, "docs/behaviour");
  const pages = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  return pages.flatMap((name) => rowsIn(readFileSync(join(folder, name), "utf8"), name.slice(0, -3)));
}

/** Returns the rows that one page defines. */
export function rowsIn(text: string, area: string): Row[] {
  return [...text.matchAll(DEFINITION)].map(([, id = "", said = ""]) => ({ id, area, text: said }));
}

/** Returns every use of a row in the project's code, tests and scripts. */
export function readUses(root: string): Use[] {
  const sources = ["src", "scripts", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const uses = [...sources, ".ci/run"].flatMap((file) =>
    usesIn(readFileSync(join(root, file), "utf8"), file),
  );
  return uses.filter(({ id, file }) => !isKey(id, file));
}

/** In the engine, F1 to F9 are keys of a keyboard. */
function isKey(id: string, file: string): boolean {
  return id.startsWith("F") && file.includes("agent-tty/");
}

/**
 * Returns the rows that the comments and strings of one file name. Strings in test files count as titles; a benchmark proves the
 * rows that it names.
 */
export function usesIn(text: string, file: string): Use[] {
  if (!/\.tsx?$/.test(file)) return [...new Set(idsIn(text))].map((id) => ({ id, file, isProof: true }));
  const isTest = file.startsWith("test/");
  const { comments, strings } = read(text, file, isTest);
  const proven = new Set(idsIn(file.startsWith("scripts/bench") ? text : strings));
  // Outside tests a string is data, and only comments refer to rows.
  return [...new Set([...idsIn(comments), ...proven])].map((id) => ({ id, file, isProof: proven.has(id) }));
}

/** Returns the comments of a TypeScript file and, with `wantsStrings`, its strings, each joined into one text. */
function read(text: string, file: string, wantsStrings: boolean): { comments: string; strings: string } {
  const { comments, program } = parseSync(file, text);
  const strings: string[] = [];
  const visitor = new Visitor({
    Literal: ({ value }) => void (typeof value === "string" && strings.push(value)),
    TemplateElement: ({ value }) => void strings.push(value.raw),
  });
  if (wantsStrings) visitor.visit(program);
  return { comments: comments.map(({ value }) => value).join("\n"), strings: strings.join("\n") };
}

function idsIn(text: string): string[] {
  return (text.match(MENTION) ?? [])
    .filter((id) => id.length > 3 || /^[A-Z]/.test(id))
    .map((id) => (id.length > 3 ? id.toLowerCase() : id));
}
