import type { FootnoteDefinition, Nodes, Root, Table } from "mdast";
import type { FlagRecorder } from "./hidden-text.ts";
import { parseMarkdown, visitNodes } from "./markdown.ts";
import type { Edit } from "./text-edits.ts";

/** The beginning of the row below a table's header. No two parts match the same characters, so a row of blanks is read once. */
const DELIMITER_ROW = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\||$)/m;

/**
 * Returns edits for text that only GitHub's Markdown extensions hide: footnotes without a reference, and table cells beyond the
 * header's columns.
 */
export function hiddenGfmEdits(text: string, recorder: FlagRecorder): Edit[] {
  // The text is parsed again only if it may contain a footnote or a table.
  if (!text.includes("[^") && !DELIMITER_ROW.test(text)) return [];
  const tree = parseMarkdown(text);
  const edits = unseenNotes(tree).map((note) => noteEdit(note, text, recorder));
  visitNodes(tree, (node) => {
    if (node.type === "table") edits.push(...cellEdits(node, text, recorder));
  });
  return edits;
}

/**
 * Returns the footnotes that GitHub does not show. Of several footnotes with one name it shows the first, and only if visible
 * text refers to it.
 */
function unseenNotes(tree: Root): FootnoteDefinition[] {
  const notes: FootnoteDefinition[] = [];
  visitNodes(tree, (node) => void (node.type === "footnoteDefinition" && notes.push(node)));
  const firsts = new Map(notes.toReversed().map((note) => [note.identifier, note]));
  const seen = new Set<FootnoteDefinition>();
  const pending = referencesIn(tree);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const note = firsts.get(name);
    if (note === undefined || seen.has(note)) continue;
    seen.add(note);
    pending.push(...note.children.flatMap(referencesIn));
  }
  return notes.filter((note) => !seen.has(note));
}

/** Returns the footnote references in a node, except those inside its footnote definitions. */
function referencesIn(node: Nodes): string[] {
  if (node.type === "footnoteReference") return [node.identifier];
  if (!("children" in node)) return [];
  return node.children.filter(({ type }) => type !== "footnoteDefinition").flatMap(referencesIn);
}

/** Returns an edit that shows the note's text and marks it as an unreferenced note. */
function noteEdit(note: FootnoteDefinition, text: string, recorder: FlagRecorder): Edit {
  const start = note.position?.start.offset ?? 0;
  const label = /^\[\^[^\]]*\]:/.exec(text.slice(start))?.[0] ?? "";
  recorder.record("link-definition", label);
  return { start, end: start + label.length, text: `(unreferenced note ${note.identifier})` };
}

function cellEdits({ children: rows }: Table, text: string, recorder: FlagRecorder): Edit[] {
  const width = rows[0]?.children.length ?? 0;
  return rows.flatMap(({ children: cells }) => {
    const [first, last] = [cells[width], cells.at(-1)];
    if (first === undefined || last === undefined) return [];
    const [start, end] = [first.position?.start.offset ?? 0, last.position?.end.offset ?? 0];
    recorder.record("table-cell", text.slice(start, end));
    return [{ start, end, text: "|" }];
  });
}
