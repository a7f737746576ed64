import type { RunRow } from "../../store/index.ts";
import type { Tone } from "./paint.ts";

/** The result of a Triage Run, or its current phase. `symbol` is two columns wide on every terminal. */
export interface Fate {
  symbol: string;
  word: string;
  tone: Tone;
  /** The text after the arrow: the published state role, or the reason why there is none. */
  result: string;
}

export interface FatedRun extends Pick<RunRow, "displayStatus" | "indicator" | "facts"> {
  /** Set only for a run that is not settled. */
  isParentDead?: boolean;
}

/**
 * Returns the symbol, word and result that lists show for a run. A run that is not settled and whose parent is dead is abandoned.
 */
export function fateOf({ displayStatus, indicator, facts, isParentDead = false }: FatedRun): Fate {
  const { progress } = facts;
  if (progress.phase === "settled") return settledFate(progress.end);
  if (isParentDead)
    return {
      symbol: "🔴",
      word: "abandoned",
      tone: "bad",
      result: "parent is dead; run `afk-triage reap`",
    };
  const word = displayStatus === "terminated" ? "ending" : displayStatus.replaceAll("_", " ");
  return { symbol: indicator.symbol, word, tone: "plain", result: progress.phase };
}

type End = Extract<RunRow["facts"]["progress"], { phase: "settled" }>["end"];

function settledFate(end: End): Fate {
  const result = end.reason;
  switch (end.status) {
    case "applied":
      return { symbol: "✅", word: "done", tone: "good", result: end.outcome };
    case "failed":
      return { symbol: "❌", word: "failed", tone: "bad", result: end.error.code };
    case "locked":
      return { symbol: "🔒", word: "locked", tone: "attention", result };
    case "requeued":
      return { symbol: "🔁", word: "requeued", tone: "attention", result };
    case "skipped":
      return skippedFate(result);
    default:
      return end satisfies never;
  }
}

/** Returns the fate of a skipped run, with the reason as the result. A run that was ended from outside counts as skipped. */
function skippedFate(reason: string): Fate {
  switch (reason) {
    case "killed":
      return { symbol: "💀", word: "killed", tone: "bad", result: "killed" };
    case "stopped":
      return { symbol: "🛑", word: "stopped", tone: "attention", result: "stopped" };
    case "batch-deadline":
      return { symbol: "⏰", word: "out of time", tone: "attention", result: "the batch's deadline" };
    default:
      return { symbol: "⏩", word: "skipped", tone: "quiet", result: reason };
  }
}
