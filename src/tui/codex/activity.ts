import type { ActiveReason, Evidence } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import { type Block, isWorkedFor } from "./blocks.ts";
import type { Composer } from "./composer.ts";
import { isStartingServers, type LatestTurn, RECONNECTING } from "./latest-turn.ts";
import type { ProgramState } from "./program-state.ts";
import { isLoadingModel } from "./startup.ts";
import { hasAttribute, isPlainRow } from "./styles.ts";
import type { CodexTraits } from "./traits.ts";

export interface Activity {
  reasons: readonly ActiveReason[];
  evidence: readonly Evidence[];
}

export interface ActivityFacts {
  screen: TuiScreen;
  composer: Composer | null;
  turn: LatestTurn;
  program: ProgramState;
  traits: CodexTraits;
  /** H9 */
  hasGrown: boolean;
}

interface Sign {
  reason: ActiveReason;
  row: number | null;
  text: string;
}

const IN_FLIGHT = /^[•◦] (?:Running|Calling|Exploring|Searching|Applying|Editing|Generating)\b/;
const WAITING = /^[•◦] Waiting for \S/;
const ENDED = /^[■✗]/u;

/** Signs of the program's own, then of rows that only work shows: any one of them is work. */
export function strongSigns({
  screen,
  composer,
  turn,
  program,
}: Pick<ActivityFacts, "screen" | "composer" | "turn" | "program">): Sign[] {
  const { status, pending } = turn;
  const signs: Sign[] = [];
  const isProgramAtWork = program === "working" || program === "blocked";
  // The title spins for servers that start as it does for a Turn.
  if (isProgramAtWork && status !== null && isStartingServers(turn))
    signs.push({ reason: "session_start", row: status.row, text: status.head });
  else if (isProgramAtWork) signs.push(programSign(screen));
  if (status !== null && !isStartingServers(turn)) signs.push(...statusSigns(status));
  for (const { row, head } of pending.slice(0, 1)) signs.push({ reason: "pending_input", row, text: head });
  if (composer?.footer.some((line) => line.startsWith("tab to queue message")) === true)
    signs.push({ reason: "queue_hint", row: null, text: "tab to queue message" });
  if (isLoadingModel(screen, composer))
    signs.push({ reason: "session_start", row: composer?.row ?? null, text: "loading" });
  return signs;
}

/**
 * Signs that outlive work: an interrupted tool's row stays as it was, an open Turn may have been closed without a row,
 * and what grows may be a card that was asked for. They count only where the program itself says nothing.
 */
export function weakSigns({ screen, turn, program, traits, hasGrown }: ActivityFacts): Sign[] {
  if (program !== null) return [];
  const last = turn.content.at(-1) ?? null;
  const signs: Sign[] = [];
  if (last !== null && isInFlight(screen, last)) signs.push(inFlightSign(last));
  if (turn.message !== null && isOpen(turn, traits))
    signs.push({ reason: "open_turn", row: turn.message.row, text: turn.message.head });
  if (hasGrown && signs.length === 0 && last !== null && isText(last) && !hasEnded(turn))
    signs.push({ reason: "transcript_growth", row: last.row, text: last.rows.at(-1) ?? "" });
  return signs;
}

/** A message was cut short for this one: says of work only what other signs confirm. */
export function steeringSign({ steering }: LatestTurn): Sign[] {
  return steering === null ? [] : [{ reason: "steer_handoff", row: steering.row, text: steering.head }];
}

export function activityOf(signs: readonly Sign[]): Activity {
  return {
    reasons: [...new Set(signs.map(({ reason }) => reason))],
    evidence: signs.map(({ row, text }) => ({ signal: "active", row, text })),
  };
}

export function programSign({ title, programReport }: TuiScreen): Sign {
  const isReported = /^state=(?:working|blocked)/.test(programReport ?? "");
  return isReported
    ? { reason: "program_report", row: null, text: programReport ?? "" }
    : { reason: "title_spinner", row: null, text: title };
}

function statusSigns({ row, head }: Block): Sign[] {
  const isTimed = / \((?:\d+[hms] ?)+/.test(head);
  const signs: Sign[] = isTimed ? [{ reason: "status_row", row, text: head }] : [];
  if (RECONNECTING.test(head)) signs.push({ reason: "stream_retry_status", row, text: head });
  return signs;
}

function inFlightSign({ row, head }: Block): Sign {
  return { reason: WAITING.test(head) ? "collaboration_cell" : "in_flight_tool_cell", row, text: head };
}

/** The mark of the model's text is dim, the verb of a tool's row bold. */
function isInFlight(screen: TuiScreen, { row, head }: Block): boolean {
  if (!IN_FLIGHT.test(head) && !WAITING.test(head)) return false;
  if (isPlainRow(screen, row)) return true;
  return hasAttribute(screen, row, 2, "bold") && !hasAttribute(screen, row, 0, "dim");
}

/** The model's, from its first row on or from where the live edge begins. */
function isText({ head }: Block): boolean {
  return /^(?:• | {2}(?!>_ ))/.test(head);
}

/** Nothing has followed the message yet, or, where every end leaves a row, no end has. */
function isOpen(turn: LatestTurn, { writesWorkedFor, interruptsSilently }: CodexTraits): boolean {
  if (turn.content.length === 0) return !interruptsSilently;
  return writesWorkedFor && !hasEnded(turn);
}

function hasEnded({ content }: LatestTurn): boolean {
  return content.some((block) => isWorkedFor(block) || ENDED.test(block.head));
}
