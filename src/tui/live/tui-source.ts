import type { FollowedScreen, Session } from "agent-tty";
import { type Clock, startDeadline } from "agent-tty/kit";
import { screenOfSnapshot } from "../screen-of-snapshot.ts";
import type { RuntimeFacts } from "../tracked-state.ts";
import type { TuiScreen } from "../tui-screen.ts";

/** Where a live tracker gets its screens from. */
export interface TuiSource {
  /** What the terminal shows now, at which Event Log sequence. */
  look(): Promise<{ seq: number; screen: TuiScreen }>;
  /** Resolves once the screen has moved beyond a sequence, the patience has run out, or the terminal has ended. */
  changed(afterSeq: number, patienceMs: number, signal: AbortSignal): Promise<void>;
  /** Whether the terminal exists and the TUI runs in it, as far as that is known without the screen. */
  probe(): Promise<RuntimeFacts>;
}

/** How a prompt gets into the terminal. */
export type TuiInput = Pick<Session, "paste" | "sendKeys">;

/**
 * A Session of this process. `isProcessAlive` says whether the TUI runs; null where that is not known, as behind
 * `coder ssh`. Without it the TUI is taken to be the Session's own child.
 */
export function sourceOfSession(session: Session, isProcessAlive?: () => boolean | null): TuiSource {
  const isSessionAlive = (): boolean => ["running", "exiting"].includes(session.status());
  return {
    look: async () => {
      const snapshot = await session.detailedSnapshot();
      return { seq: snapshot.seq, screen: screenOfSnapshot(snapshot) };
    },
    changed: async (afterSeq, patienceMs, signal) => {
      await session.wait({ afterSeq, screenStableMs: 0 }, { callerTimeoutMs: patienceMs, signal });
    },
    probe: async () => {
      const isAlive = isProcessAlive === undefined ? isSessionAlive() : isProcessAlive();
      const process = isAlive === null ? "unknown" : isAlive ? "alive" : "gone";
      return isSessionAlive()
        ? { terminal: "up", process, probeError: null }
        : { terminal: "gone", process: "gone", probeError: null };
    },
  };
}

/** Reads along beside a Session's host. Whether the TUI itself still runs, only its screen can say. */
export function sourceOfFollowedScreen(followed: FollowedScreen, clock: Clock): TuiSource {
  return {
    look: async () => ({ seq: followed.seq, screen: screenOfSnapshot(followed.detailedSnapshot()) }),
    changed: async (afterSeq, patienceMs, signal) => {
      using deadline = startDeadline(clock, "a change of the screen", patienceMs, signal);
      await followed.changed(afterSeq, deadline.signal).catch(() => undefined);
    },
    probe: async () =>
      followed.hasEnded
        ? { terminal: "gone", process: "gone", probeError: null }
        : { terminal: "up", process: "unknown", probeError: null },
  };
}
