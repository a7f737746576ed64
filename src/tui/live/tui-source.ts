import type { FollowedScreen, Session } from "agent-tty";
import { type Clock, startDeadline } from "agent-tty/kit";
import { screenOfSnapshot } from "../screen-of-snapshot.ts";
import type { RuntimeFacts } from "../tracked-state.ts";
import type { TuiScreen } from "../tui-screen.ts";

/** The source of a live tracker's screens. */
export interface TuiSource {
  /** Returns the current screen and its Event Log sequence. */
  look(): Promise<{ seq: number; screen: TuiScreen }>;
  /** Resolves when the screen has changed after a sequence, `patienceMs` has passed, or the terminal has ended. */
  changed(afterSeq: number, patienceMs: number, signal: AbortSignal): Promise<void>;
  /** Probes whether the terminal exists and the TUI runs in it, without reading the screen. */
  probe(): Promise<RuntimeFacts>;
}

/** The means to send a prompt to the terminal. */
export type TuiInput = Pick<Session, "paste" | "sendKeys">;

/**
 * Returns the source of a Session of this process. `isProcessAlive` returns whether the TUI runs, or null if that is unknown, as
 * behind `coder ssh`. Without it the TUI is assumed to be the Session's child process.
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

/**
 * Returns a source that follows a Session hosted by another process. Whether the TUI still runs is then known only from its
 * screen.
 */
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
