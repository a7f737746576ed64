import type { Session, SessionExit } from "agent-tty";
import type { Clock } from "agent-tty/kit";
import type { LiveTracker } from "../live/index.ts";
import type { ResolvedProfile } from "../registry.ts";
import type { SentText, TurnTimings } from "./plan-step.ts";

/** One Turn of a coding TUI, from the shell's prompt back to it. */
export interface TuiTurn {
  /** At a prompt of bash with shell integration. */
  session: Session;
  /** Starts the TUI. */
  commandLine: string;
  /** Which detector reads it. */
  detection: ResolvedProfile;
  /** Short, both: what is long belongs in a file that they name. */
  texts: Readonly<Record<SentText, string>>;
  /** Leaves the TUI, e.g. `/exit`. */
  farewell: string;
  /** Whether what the Turn is for exists and is valid. Asked when the Turn has ended. */
  hasResult: () => Promise<boolean>;
  /** Hears of the tracker once it follows the TUI; it is disposed at the end of the Turn. */
  onTracking: (tracker: LiveTracker) => void;
  /** When this runs out the Turn ends as timed-out, the TUI still open. */
  timeoutMs: number;
  /** Rejects with its reason, the TUI still open. */
  signal: AbortSignal;
  clock: Clock;
  timings?: TurnTimings;
}

/**
 * `unknown-dialog`: a dialog that this version shows and no known answer fits, so every run with this version would meet
 * it again. `stuck`: anything else that nobody here can help, such as a missing credential.
 */
export type BlockCause = "unknown-dialog" | "stuck";

export type TuiTurnEnd =
  /** The program ended, by the farewell or by itself; `failure` is the error the Turn ended with. */
  | { type: "exited"; exitCode: number; failure: string | null }
  /** The Turn is over but the farewell did not end the program. */
  | { type: "did-not-exit"; failure: string | null }
  | { type: "timed-out"; visibleText: string }
  /** `reason` names what it waits at. */
  | { type: "blocked"; cause: BlockCause; reason: string; visibleText: string }
  | { type: "interrupted"; exit: SessionExit };
