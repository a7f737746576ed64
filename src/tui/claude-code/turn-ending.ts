import type { TurnEnding } from "../signals.ts";
import type { LatestTurn } from "./latest-turn.ts";
import type { TurnHistory } from "./turn-history.ts";

/** An end without its signature, which needs the Turns before it. */
export type BareEnding =
  | { type: "interrupted"; row: number }
  | { type: "known_failure"; row: number; error: string }
  | { type: "success_candidate" | "success_announced"; row: number };

const SIGNATURE_TEXT = 48;

/** What the program's rest says of the Turn before it. */
export interface Rest {
  /** Work was seen at all. */
  hasWorked: boolean;
  /** The title, or a spinner that never leaves a running Turn, was seen at work and now rests. */
  isAtRest: boolean;
  /**
   * Work was seen on this Turn and the program is known to rest. With nothing but the message to show for it, a person
   * stopped it before its first word; a second later the message is back in the box.
   */
  isCutShort: boolean;
}

/**
 * Call it only where nothing shows work. An answer without a row of completion counts too: 2.1.81 never prints one for
 * a short Turn, 2.1.329 not always, and 2.0 none at all.
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

/** By the end as it was seen first: lines that scroll off or wrap anew do not make it another. */
export function signed(ending: BareEnding, end: TurnHistory["end"]): TurnEnding {
  const signature = `${ending.type} ${end?.number ?? 0} ${end?.text.slice(-SIGNATURE_TEXT) ?? ""}`;
  return ending.type === "known_failure"
    ? { type: ending.type, signature, error: ending.error }
    : { type: ending.type, signature };
}

/** Commands of the TUI itself print a result without any Turn. */
function isLocal(message: string): boolean {
  return message.startsWith("/");
}
