import type { Session, SessionExit } from "agent-tty";
import type { Clock } from "agent-tty/kit";
import type { LiveTracker } from "../live/index.ts";
import type { ResolvedProfile } from "../registry.ts";
import type { BlockCause, SentText, TurnTimings } from "./turn-step.ts";

/** One Turn of a coding TUI, from the shell's prompt back to it. */
export interface TuiTurn {
  /** A Session at a prompt of bash with shell integration. */
  session: Session;
  /** The command that starts the TUI. */
  commandLine: string;
  /** The detector profile. */
  detection: ResolvedProfile;
  /** The texts to send, both short: long text belongs in a file that they name. */
  texts: Readonly<Record<SentText, string>>;
  /** The input that leaves the TUI, e.g. `/exit`. */
  farewell: string;
  /** Returns whether the Turn's result exists and is valid. Called after the Turn has ended. */
  hasResult: () => Promise<boolean>;
  /** Called with the tracker when it follows the TUI; the tracker is disposed at the end of the Turn. */
  onTracking: (tracker: LiveTracker) => void;
  /** After this time the Turn ends as timed-out, with the TUI still open. */
  timeoutMs: number;
  /** On abort the Turn rejects with the signal's reason, with the TUI still open. */
  signal: AbortSignal;
  clock: Clock;
  timings?: TurnTimings;
}

export type TuiTurnEnd =
  /** The program exited, by the farewell or by itself; `failure` is the error that ended the Turn. */
  | { type: "exited"; exitCode: number; failure: string | null }
  /** The Turn is over but the farewell did not end the program. */
  | { type: "did-not-exit"; failure: string | null }
  | { type: "timed-out"; visibleText: string }
  /** `reason` names what the TUI waits for. */
  | { type: "blocked"; cause: BlockCause; reason: string; visibleText: string }
  | { type: "interrupted"; exit: SessionExit };
