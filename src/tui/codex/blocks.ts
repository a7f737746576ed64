import type { TuiScreen } from "../tui-screen.ts";

/** One entry of the transcript: a row with a mark at the left edge, and the rows that belong to it. */
export interface Block {
  row: number;
  /** Its first row as it stands. */
  head: string;
  /** All its rows that hold something, trimmed. */
  rows: readonly string[];
}

/** The model's text and a tool's output are indented below their mark, so no quotation stands at the left edge. */
const MARK = /^[•◦■⚠✔✗✘›─╭┏✻✨]/u;
const WORKED_FOR = /^ {2}Worked for (?:<1s|(?:\d+[hms] ?)+) • \d/;
/** The rows between transcript and composer that say nothing of a Turn. */
const AMBIENT = /^ {2}(?:\d+ background terminals? running · |└ Tip: )/;
const ERROR_MAX_ROWS = 5;

/** H10: the latest Turn fits in as many rows of the live edge. */
const LIVE_EDGE_ROWS = 24;

export function isMarked(line: string): boolean {
  return MARK.test(line);
}

export function isWorkedFor({ head }: Pick<Block, "head">): boolean {
  return WORKED_FOR.test(head);
}

/**
 * The blocks of the live edge above `endRow`, in order. `isWorkedForRow` decides of a row that reads like one: it is
 * dim, the model's text is not.
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

/** A sentence over several rows, without its mark. */
export function sentenceOf({ rows }: Block): string {
  return rows
    .slice(0, ERROR_MAX_ROWS)
    .join(" ")
    .replace(/^[■⚠] */u, "");
}
