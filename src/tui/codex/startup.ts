import type { TuiScreen } from "../tui-screen.ts";
import type { Composer } from "./composer.ts";
import { isStartingServers, type LatestTurn } from "./latest-turn.ts";
import type { ProgramState } from "./program-state.ts";

const BANNER = /^(?:│ | {2})>_ (?:You are using )?OpenAI Codex\b/;
const LOADING = /^│ model: +loading\b/;

/**
 * The composer is painted seconds before a session stands behind it, and a trust dialog may come in between. Then the
 * program has said nothing yet, no message was sent, and the footer names no model but only the way to help.
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
 * In 0.116 the composer takes messages before the model is known, and keeps them until then. 0.98, whose footer has
 * other words, may say for ever that it loads.
 */
export function isLoadingModel({ lines }: TuiScreen, composer: Composer | null): boolean {
  if (composer === null || composer.footer.some((line) => line.includes("context left"))) return false;
  return lines.some((line) => LOADING.test(line));
}
