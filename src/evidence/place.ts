import type { Session } from "agent-tty";
import type { Clock } from "agent-tty/kit";
import type { ReadyWorkspace } from "../workspaces/index.ts";
import type { PlaceKind } from "./grade.ts";

/** Where the parent's own runs take place. Whoever opens a place also destroys it; the evidence pipeline only uses it. */
export interface Place {
  readonly kind: PlaceKind;
  readonly workspace: ReadyWorkspace;
  /** Absolute, inside the place, and nobody else's: all that the pipeline writes is below it. */
  readonly directory: string;
  /** A new Session whose shell is in `directory`, with nothing of a Triage Agent's environment. The caller destroys it. */
  openSession(signal: AbortSignal): Promise<Session>;
}

/** How long the caller is ready to wait, and what ends the waiting. */
export interface Patience {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline of the whole, at least 1. */
  readonly remainingMs: () => number;
}
