import type { TurnEnding } from "../signals.ts";
import type { LatestTurn } from "./latest-turn.ts";
import type { TurnHistory } from "./turn-history.ts";

/** An end without its signature, which depends on earlier Turns. */
export type BareEnding =
  | { type: "interrupted"; row: number }
  | { type: "known_failure"; row: number; error: string }
  | { type: "success_candidate" | "success_announced"; row: number };

const SIGNATURE_TEXT = 48;

/** The evidence of the program's rest after a Turn. */
export interface Rest {
  /** Whether any work was seen. */
  hasWorked: boolean;
  /** Whether the title, or a spinner that is shown throughout a Turn, showed work and now rests. */
  isAtRest: boolean;
  /**
   * Whether work was seen on this Turn and the program rests. If nothing follows the message, a person interrupted the Turn
   * before its first word; a second later the message is back in the box.
   */
  isCutShort: boolean;
}

/**
 * Returns the end of the latest Turn, or null if it has not ended. Call it only for a screen without signs of work. An answer
 * without a completion row counts as an end too: 2.1.81 never prints one for a short Turn, 2.1.329 not always, and 2.0 never.
 */
export function bareEnding({ tail, message, messageRow }: LatestTurn, rest: Rest): BareEnding | null {
  switch (tail.type) {
    case "interrupted":
      return { type: "interrupted", row: tail.row };
    case "failed":
      return { type: "known_failure", row: tail.row, error: tail.error };
    case "completed":
      return { type: "success_announced", row: tail.row };
    case "output": {
      const isTurn = rest.hasWorked || (messageRow !== null && !isLocal(message));
      if (!isTurn) return null;
      return { type: rest.isAtRest ? "success_announced" : "success_candidate", row: tail.row };
    }
    case "message":
      return rest.isCutShort ? { type: "interrupted", row: tail.row } : null;
    case "nothing":
    case "spinner":
      return null;
    default:
      return tail satisfies never;
  }
}

/**
 * Returns the end with its signature: the end's text when it was first seen, so that scrolling or rewrapping does not turn it
 * into another end.
 */
export function signed(ending: BareEnding, end: TurnHistory["end"]): TurnEnding {
  const signature = `${ending.type} ${end?.number ?? 0} ${end?.text.slice(-SIGNATURE_TEXT) ?? ""}`;
  return ending.type === "known_failure"
    ? { type: ending.type, signature, error: ending.error }
    : { type: ending.type, signature };
}

/** Returns whether the message is one of the TUI's own commands, which print a result without a Turn. */
function isLocal(message: string): boolean {
  return message.startsWith("/");
}
