import type { TuiScreen } from "../tui-screen.ts";
import { type Composer, findComposer } from "./composer.ts";
import { findDeparture } from "./departure.ts";
import { findQuestionOverBox, type Question, readQuestion } from "./dialog.ts";
import { type Draft, readDraft } from "./draft.ts";
import { type LatestTurn, readLatestTurn } from "./latest-turn.ts";
import { findOverlay, findPromptMenu, findSessionList } from "./menu.ts";

/** The facts that one screen shows without the history of earlier screens. */
export type ScreenFacts =
  | { type: "composer"; composer: Composer; draft: Draft; turn: LatestTurn; menuRow: number | null }
  | { type: "question"; question: Question }
  | { type: "overlay"; row: number }
  | { type: "departed"; row: number }
  /** The screen is half painted, starting, or not Claude Code's. */
  | { type: "other"; bannerRow: number | null };

const BANNER = /Claude Code v\d+\.\d+|Welcome to Claude Code/;

/**
 * Returns the facts that one screen shows. A live composer proves that no question above it is open, even if an answer quotes
 * one. A farewell line or the shell's cursor under the composer takes precedence, because a TUI that has ended leaves its
 * composer on the screen.
 */
export function readScreen(screen: TuiScreen): ScreenFacts {
  const composer = findComposer(screen);
  const departedRow = findDeparture(screen, composer);
  if (departedRow !== null) return { type: "departed", row: departedRow };
  if (composer !== null) return readBoxScreen(screen, composer);
  const { message } = readLatestTurn(screen, screen.lines.length);
  const question = readQuestion(screen, message);
  if (question !== null) return { type: "question", question };
  const overlayRow = findOverlay(screen);
  if (overlayRow !== null) return { type: "overlay", row: overlayRow };
  const bannerRow = screen.lines.findIndex((line) => BANNER.test(line));
  return { type: "other", bannerRow: bannerRow === -1 ? null : bannerRow };
}

function readBoxScreen(screen: TuiScreen, composer: Composer): ScreenFacts {
  const row = findSessionList(screen, composer) ?? findQuestionOverBox(screen, composer.topRow);
  if (row !== null) return { type: "overlay", row };
  const draft = readDraft(screen, composer);
  const menuRow = findPromptMenu(screen, composer, draft.text);
  const turn = readLatestTurn(screen, Math.max(0, Math.min(composer.topRow, menuRow ?? composer.topRow)));
  return { type: "composer", composer, draft, turn, menuRow };
}
