import type { PtyExit } from "../pty/index.ts";

/** A2: a Session has exactly one. */
export type SessionStatus = "running" | "exiting" | "exited" | "failed" | "destroying" | "destroyed";

/** How the child ended. A child killed by a signal has no exit code of its own. */
export type SessionExit = PtyExit;

/** A3: what a Session Status allows. */
export interface StatusPolicy {
  active: boolean;
  /** Accepts input and Waited Runs (A13, A15). */
  commandable: boolean;
  /** The live host answers (A20). */
  liveHostEligible: boolean;
  /** The Event Log answers (A20). */
  offlineReplayEligible: boolean;
  terminal: boolean;
  /** May be garbage-collected (A22). */
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

/** A3: the one total table. */
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
  // A5: still active, but already answered by offline replay.
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

/** A4: true for this one status only; it does not classify Sessions. */
export function isDestroyed(status: SessionStatus): boolean {
  return status === "destroyed";
}

/**
 * Returns true if a Session Status may change to the other one. Equal statuses are not a transition.
 * @example
 * canTransition("running", "exited") // => true
 * canTransition("destroyed", "running") // => false
 */
export function canTransition(from: SessionStatus, to: SessionStatus): boolean {
  return NEXT[from].includes(to);
}
