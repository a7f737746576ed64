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
  /** Whether the transcript has grown recently (H9). */
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

/** Returns the signs that each prove work: the program's own, then rows that only work shows. */
export function strongSigns({
  screen,
  composer,
  turn,
  program,
}: Pick<ActivityFacts, "screen" | "composer" | "turn" | "program">): Sign[] {
  const { status, pending } = turn;
  const signs: Sign[] = [];
  const isProgramAtWork = program === "working" || program === "blocked";
  // The title also spins while servers start.
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
 * Returns the signs that may remain after work: an interrupted tool's row stays unchanged, an open Turn may end
 * without a row, and growth may be a card that a person requested. They count only where the program itself reports
 * nothing.
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

/** Returns the notice that an earlier message was interrupted for this one. It proves work only together with other signs. */
export function steeringSign({ steering }: LatestTurn): Sign[] {
  return steering === null ? [] : [{ reason: "steer_handoff", row: steering.row, text: steering.head }];
}

/** Returns the activity of a screen with these signs. */
export function activityOf(signs: readonly Sign[]): Activity {
  return {
    reasons: [...new Set(signs.map(({ reason }) => reason))],
    evidence: signs.map(({ row, text }) => ({ signal: "active", row, text })),
  };
}

/** Returns the sign of work outside the screen: the title or the report. */
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

/** Returns whether the block is a running tool's row, whose verb is bold. The mark of the model's text is dim. */
function isInFlight(screen: TuiScreen, { row, head }: Block): boolean {
  if (!IN_FLIGHT.test(head) && !WAITING.test(head)) return false;
  if (isPlainRow(screen, row)) return true;
  return hasAttribute(screen, row, 2, "bold") && !hasAttribute(screen, row, 0, "dim");
}

/** Returns whether the block is the model's text, from its first row or from the start of the live edge. */
function isText({ head }: Block): boolean {
  return /^(?:• | {2}(?!>_ ))/.test(head);
}

/** Returns whether no row follows the message yet, or, in versions where every end leaves a row, no end row does. */
function isOpen(turn: LatestTurn, { writesWorkedFor, interruptsSilently }: CodexTraits): boolean {
  if (turn.content.length === 0) return !interruptsSilently;
  return writesWorkedFor && !hasEnded(turn);
}

function hasEnded({ content }: LatestTurn): boolean {
  return content.some((block) => isWorkedFor(block) || ENDED.test(block.head));
}
