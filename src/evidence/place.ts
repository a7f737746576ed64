import type { Session } from "agent-tty";
import type { Clock } from "agent-tty/kit";
import type { ReadyWorkspace } from "../workspaces/index.ts";
import type { PlaceKind } from "./grade.ts";

/** The place of the parent's own runs. The code that opens a place also destroys it; the evidence pipeline only uses it. */
export interface Place {
  readonly kind: PlaceKind;
  readonly workspace: ReadyWorkspace;
  /** An absolute path inside the place that only the pipeline uses: it writes everything below this path. */
  readonly directory: string;
  /**
   * Opens a new Session whose shell is in `directory`, without any variable of a Triage Agent's environment. The caller destroys
   * it.
   */
  openSession(signal: AbortSignal): Promise<Session>;
}

/** The time for which the caller waits, and the signal that ends the wait. */
export interface Patience {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds until the caller's deadline, at least 1. */
  readonly remainingMs: () => number;
}
