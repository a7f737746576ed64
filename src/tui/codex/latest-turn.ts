import type { TuiScreen } from "../tui-screen.ts";
import { type Block, readBlocks } from "./blocks.ts";
import type { Composer } from "./composer.ts";
import { hasAttribute, isPlainRow } from "./styles.ts";

/** The parts of the latest Turn at the live edge. */
export interface LatestTurn {
  /** The message that began it; null: it has scrolled off, or there is none. */
  message: Block | null;
  /** A notice that the earlier message was interrupted to send this one. */
  steering: Block | null;
  /** The blocks after the message, without the `status` and `pending` blocks. */
  content: readonly Block[];
  /** The row of work in progress, if it is the last entry above the composer. */
  status: Block | null;
  /** The messages that wait to be sent, to the running Turn or after it. */
  pending: readonly Block[];
}

const MESSAGE = /^› \S/;
const STATUS = /^[•◦] \S.* \((?:\d+[hms] ?)+(?: • |…|\))/;
/** In its oldest form, the row of a broken connection has no mark. */
export const RECONNECTING = /^(?:[•◦] )?Reconnecting\b.*\d+\/\d+/;
const PENDING = /^• (?:Queued follow-up (?:inputs|messages)|Messages to be submitted )/;
/** The start of servers is not a Turn, although its row looks like one. */
const STARTING_SERVERS = /^[•◦] (?:Starting|Booting) MCP servers?\b/;
const STEERING = /^• Model interrupted to submit steer instructions/;

/** Returns the latest Turn at the live edge. */
export function readLatestTurn(screen: TuiScreen, composer: Composer | null): LatestTurn {
  const endRow = composer === null || composer.isLastMessage ? screen.lines.length : composer.row;
  const isWorkedForRow = (row: number): boolean =>
    composer?.isStyled === false || hasAttribute(screen, row, 2, "dim");
  const blocks = readBlocks(screen, endRow, isWorkedForRow);
  const messageIndex = blocks.findLastIndex((block) => isMessage(screen, block));
  const before = blocks[messageIndex - 1];
  const content = blocks.slice(messageIndex + 1);
  const pending: Block[] = [];
  let status: Block | null = null;
  for (let last = content.at(-1); last !== undefined; last = content.at(-1)) {
    if (PENDING.test(last.head)) pending.unshift(last);
    else if (status === null && isStatus(screen, last)) status = last;
    else break;
    content.pop();
  }
  // 0.98 lists pending messages directly below the working row, without a heading.
  if (pending.length === 0 && status !== null && status.rows.some((row) => row.startsWith("↳ ")))
    pending.push(status);
  return {
    message: blocks[messageIndex] ?? null,
    steering: before !== undefined && STEERING.test(before.head) ? before : null,
    content,
    status,
    pending,
  };
}

/** Returns whether the block is a past message, whose mark is dim. The mark of a menu's selected row is not. */
function isMessage(screen: TuiScreen, { row, head }: Block): boolean {
  return MESSAGE.test(head) && (hasAttribute(screen, row, 0, "dim") || isPlainRow(screen, row));
}

/**
 * Returns whether the block is a status row. Its time is dim; a time quoted in the model's text is not, although the mark before
 * it is.
 */
function isStatus(screen: TuiScreen, { row, head, rows }: Block): boolean {
  if (RECONNECTING.test(rows[0] ?? "") && !head.startsWith("• ")) return true;
  if (!STATUS.test(head)) return false;
  return isPlainRow(screen, row) || hasAttribute(screen, row, timeColumn(screen, row), "dim");
}

/** Returns the column of the last `(` of the row. */
function timeColumn(screen: TuiScreen, row: number): number {
  return screen.cellsOf(row).findLastIndex(({ char }) => char === "(");
}

/** Returns whether the status row shows the start of MCP servers. */
export function isStartingServers({ status }: LatestTurn): boolean {
  return status !== null && STARTING_SERVERS.test(status.head);
}
