import type { TuiSignals } from "../signals.ts";
import type { TurnMemory } from "./turn-memory.ts";

/** The nine rules of the Turn reducer, in the order of evaluation. */
export type TurnRule =
  | "degraded"
  | "interrupted"
  | "known-failure"
  | "active-evidence"
  | "success-candidate"
  | "ambiguous-surface"
  | "explicit-input-armed"
  | "ready-posture"
  | "otherwise";

type Guard = (memory: TurnMemory, signals: TuiSignals) => boolean;

const RULES: readonly (readonly [TurnRule, Guard])[] = [
  ["interrupted", (memory, signals) => isNewEnd("interrupted", memory, signals)],
  ["known-failure", (memory, signals) => isNewEnd("known_failure", memory, signals)],
  [
    "active-evidence",
    ({ recoveredKey }, { activeReasons }) => recoveredKey === null && activeReasons.length > 0,
  ],
  ["success-candidate", isSuccessCandidate],
  ["ambiguous-surface", (_, { surface }) => AMBIGUOUS.has(surface.type)],
  ["explicit-input-armed", ({ anchor }) => anchor?.source === "explicit_input"],
  ["ready-posture", ({ recoveredKey }, { readyPosture }) => recoveredKey !== null || readyPosture === "yes"],
  ["otherwise", () => true],
];

/** Surfaces that prove neither a waiting prompt nor work. */
const AMBIGUOUS: ReadonlySet<TuiSignals["surface"]["type"]> = new Set([
  "dialog",
  "menu",
  "starting",
  "departed",
]);

/** Returns the first rule that matches, which decides the phase (H28–H30). */
export function turnRule(memory: TurnMemory): TurnRule {
  const signals = memory.seen?.signals;
  if (memory.availability !== "available" || signals === undefined) return "degraded";
  return RULES.find(([, holds]) => holds(memory, signals))?.[0] ?? "otherwise";
}

/**
 * Returns whether an end is new. An interruption (H35) or a failure (H36) counts once, only with a prompt under it, and not for a
 * Turn submitted after it. Without a Turn in between, an end of the same kind is the same end, even if its text differs.
 */
function isNewEnd(
  type: "interrupted" | "known_failure",
  { anchor, countedEnding, lastTurn }: TurnMemory,
  { ending, surface }: TuiSignals,
): boolean {
  if (ending?.type !== type || surface.type !== "composer") return false;
  if (anchor !== null) return ending.signature !== anchor.staleEnding;
  return ending.signature !== countedEnding && lastTurn.result !== type;
}

/**
 * Returns whether the screen shows a success candidate (H33). It needs an armed Turn, or one that was published as a success and
 * may be retracted (H34). Messages that the TUI has queued belong to that Turn.
 */
function isSuccessCandidate(
  { anchor, settled }: TurnMemory,
  { ending, surface, currentError, pendingInput }: TuiSignals,
): boolean {
  if (ending === null || surface.type !== "composer") return false;
  if (ending.type !== "success_candidate" && ending.type !== "success_announced") return false;
  if (currentError !== null || pendingInput === "yes") return false;
  return anchor === null ? settled !== null : ending.signature !== anchor.staleEnding;
}
