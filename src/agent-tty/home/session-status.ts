import type { PtyExit } from "../pty/index.ts";

/** The Session Status; a Session has exactly one at any time (A2). */
export type SessionStatus = "running" | "exiting" | "exited" | "failed" | "destroying" | "destroyed";

/** How the child ended. A child killed by a signal has no exit code of its own. */
export type SessionExit = PtyExit;

/** What a Session Status allows. No other code decides this (A3). */
export interface StatusPolicy {
  active: boolean;
  /** Accepts input (A13) and Waited Runs (A15). */
  commandable: boolean;
  /** The live host answers questions about the Session (A20). */
  liveHostEligible: boolean;
  /** The Event Log answers questions about the Session (A20). */
  offlineReplayEligible: boolean;
  terminal: boolean;
  /** Garbage collection may remove the Session (A22). */
  collectable: boolean;
}

const GONE: StatusPolicy = {
  active: false,
  commandable: false,
  liveHostEligible: false,
  offlineReplayEligible: true,
  terminal: true,
  collectable: true,
};

/** The policy of every Session Status (A3). */
export const STATUS_POLICY: Readonly<Record<SessionStatus, StatusPolicy>> = {
  running: {
    active: true,
    commandable: true,
    liveHostEligible: true,
    offlineReplayEligible: false,
    terminal: false,
    collectable: false,
  },
  exiting: {
    active: true,
    commandable: false,
    liveHostEligible: true,
    offlineReplayEligible: false,
    terminal: false,
    collectable: false,
  },
  exited: GONE,
  failed: GONE,
  // A Session that is being destroyed is active and can be replayed offline (A5).
  destroying: {
    active: true,
    commandable: false,
    liveHostEligible: false,
    offlineReplayEligible: true,
    terminal: false,
    collectable: false,
  },
  destroyed: GONE,
};

const NEXT: Readonly<Record<SessionStatus, readonly SessionStatus[]>> = {
  running: ["exiting", "exited", "failed", "destroying"],
  exiting: ["exited", "failed", "destroying"],
  exited: ["destroying"],
  failed: ["destroying"],
  destroying: ["destroyed"],
  destroyed: [],
};

/** Returns whether the status is `destroyed`. The answer says nothing about other statuses (A4). */
export function isDestroyed(status: SessionStatus): boolean {
  return status === "destroyed";
}

/**
 * Returns whether a Session Status may change from one to the other. Equal statuses are not a transition.
 * @example
 * canTransition("running", "exited") // => true
 * canTransition("destroyed", "running") // => false
 */
export function canTransition(from: SessionStatus, to: SessionStatus): boolean {
  return NEXT[from].includes(to);
}
