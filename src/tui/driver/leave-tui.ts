import type { Session } from "agent-tty";
import type { LiveTracker } from "../live/index.ts";
import { sendGate } from "../tracker/index.ts";
import type { TuiTurn, TuiTurnEnd } from "./tui-turn.ts";

const TYPED_SETTLE_MS = 150;
const TYPED_PATIENCE_MS = 2_000;
const EXIT_PATIENCE_MS = 10_000;

/**
 * Leaves the TUI by typing its farewell, and resolves with the end of the program. Types nothing into a TUI that does not accept
 * input: the caller then ends it.
 */
export async function leaveTui(
  { session, clock, farewell }: TuiTurn,
  tracker: LiveTracker,
  program: Promise<TuiTurnEnd>,
  failure: string | null,
  signal: AbortSignal,
): Promise<TuiTurnEnd> {
  if (sendGate(await tracker.refresh()).type === "closed") return { type: "did-not-exit", failure };
  await letSettle(session, await session.type(farewell), signal);
  await session.sendKeys(["Enter"]);
  const patience = clock.sleep(EXIT_PATIENCE_MS, signal).then(() => null);
  // The sleep rejects when the Turn ends first; that rejection is irrelevant.
  patience.catch(() => {});
  const ended = await Promise.race([program, patience]);
  if (ended === null) return { type: "did-not-exit", failure };
  return ended.type === "exited" ? { ...ended, failure } : ended;
}

/**
 * Waits until the typed text has not changed for a moment, because some versions treat an Enter directly after the text as a line
 * break.
 */
async function letSettle(session: Session, afterSeq: number, signal: AbortSignal): Promise<void> {
  await session.wait(
    { afterSeq, screenStableMs: TYPED_SETTLE_MS },
    { callerTimeoutMs: TYPED_PATIENCE_MS, signal },
  );
}
