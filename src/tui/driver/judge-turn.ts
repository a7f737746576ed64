import type { TrackedState } from "../tracked-state.ts";
import type { Step, TurnFacts, TurnProgress, TurnTimings } from "./turn-step.ts";

type Submitted = Extract<TurnProgress, { type: "submitted" }>;

/**
 * Returns the next step after the prompt was taken. The tracker reports the end of the Turn; a TUI that only looks idle has not
 * reported an end and gets the reminder.
 */
export function judgeTurn(facts: TurnFacts, submitted: Submitted, timings: TurnTimings): Step {
  const { state, unchangedMs, sinceAskedMs } = facts;
  if (state.turn.phase !== "ready") return { type: "wait" };
  const end = endOf(state, submitted);
  if (end === "known_failure")
    return unchangedMs >= timings.settleMs
      ? { type: "over", failure: state.lastTurn.error ?? "the Turn failed" }
      : { type: "wait" };
  if (end === "none" && facts.hasOurDraft)
    return { type: unchangedMs >= timings.settleMs ? "came-back" : "wait" };
  const isReminded = submitted.text === "reminder";
  const isPatienceOver = unchangedMs >= (isReminded ? timings.noResultAfterMs : timings.remindAfterMs);
  const wasAsked = end === "none" || sinceAskedMs !== null;
  if (isPatienceOver && wasAsked) return isReminded ? { type: "over", failure: null } : { type: "remind" };
  const isAskDue = end !== "none" && (sinceAskedMs === null || sinceAskedMs >= timings.askAgainAfterMs);
  return { type: isAskDue ? "ask" : "wait" };
}

function endOf({ lastTurn }: TrackedState, { endedBeforeMs }: Submitted): TrackedState["lastTurn"]["result"] {
  return lastTurn.atMs === endedBeforeMs ? "none" : lastTurn.result;
}
