import type { TuiScreen } from "../tui-screen.ts";

/** One entry of the transcript: a row with a mark at the left edge and the rows that belong to it. */
export interface Block {
  row: number;
  /** The first row, unchanged. */
  head: string;
  /** All non-empty rows, trimmed. */
  rows: readonly string[];
}

/** The model's text and a tool's output are indented below their mark, so no quotation starts at the left edge. */
const MARK = /^[•◦■⚠✔✗✘›─╭┏✻✨]/u;
const WORKED_FOR = /^ {2}Worked for (?:<1s|(?:\d+[hms] ?)+) • \d/;
/** The rows between transcript and composer that are not part of a Turn. */
const AMBIENT = /^ {2}(?:\d+ background terminals? running · |└ Tip: )/;
const ERROR_MAX_ROWS = 5;

/** The number of rows of the live edge, within which the latest Turn is read (H10). */
const LIVE_EDGE_ROWS = 24;

/** Returns whether the line begins with a mark at the left edge. */
export function isMarked(line: string): boolean {
  return MARK.test(line);
}

/** Returns whether the row looks like `Worked for …`, which the program writes dim. */
export function looksLikeWorkedFor(line: string): boolean {
  return WORKED_FOR.test(line);
}

/** Returns whether the block's first row is `Worked for …`. */
export function isWorkedFor({ head }: Pick<Block, "head">): boolean {
  return WORKED_FOR.test(head);
}

/**
 * Returns the blocks of the live edge above `endRow`, in order. `isWorkedForRow` confirms a row that looks like
 * `Worked for`: it is dim, unlike the model's text.
 */
export function readBlocks(
  { lines }: TuiScreen,
  endRow: number,
  isWorkedForRow: (row: number) => boolean,
): Block[] {
  const rows = lines
    .slice(0, endRow)
    .map((text, row) => ({ text, row }))
    .filter(({ text }) => text !== "" && !AMBIENT.test(text))
    .slice(-LIVE_EDGE_ROWS);
  const blocks: { row: number; head: string; rows: string[] }[] = [];
  for (const { text, row } of rows) {
    const last = blocks.at(-1);
    const isHead = isMarked(text) || (WORKED_FOR.test(text) && isWorkedForRow(row));
    if (last === undefined || isHead) blocks.push({ row, head: text, rows: [text.trim()] });
    else last.rows.push(text.trim());
  }
  return blocks;
}

/** Returns the rows of a sentence, joined, without its mark. */
export function sentenceOf({ rows }: Block): string {
  return rows
    .slice(0, ERROR_MAX_ROWS)
    .join(" ")
    .replace(/^[■⚠] */u, "");
}
