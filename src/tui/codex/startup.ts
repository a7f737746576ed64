import type { TuiScreen } from "../tui-screen.ts";
import type { Composer } from "./composer.ts";
import { isStartingServers, type LatestTurn } from "./latest-turn.ts";
import type { ProgramState } from "./program-state.ts";

const BANNER = /^(?:│ | {2})>_ (?:You are using )?OpenAI Codex\b/;
const LOADING = /^│ model: +loading\b/;

/**
 * Returns whether the composer is painted before its session exists; a trust dialog may still appear. In that state the program
 * has reported nothing, no message was sent, and the footer shows no model but only the key for help.
 */
export function isBeforeSession(
  { lines }: TuiScreen,
  { footer }: Composer,
  turn: LatestTurn,
  program: ProgramState,
): boolean {
  if (program !== null) return false;
  if (isStartingServers(turn) && turn.pending.length === 0) return true;
  const isFirstScreen = turn.message === null && lines.some((line) => BANNER.test(line));
  return isFirstScreen && footer.join(" ") === "? for shortcuts";
}

/**
 * Returns whether the model is still loading. In 0.116 the composer accepts messages before the model is known and
 * keeps them until then. 0.98, whose footer differs, may show loading forever.
 */
export function isLoadingModel({ lines }: TuiScreen, composer: Composer | null): boolean {
  if (composer === null || composer.footer.some((line) => line.includes("context left"))) return false;
  return lines.some((line) => LOADING.test(line));
}
