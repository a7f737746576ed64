import { wilsonInterval } from "../wilson.ts";

/** One entry of a kind's record, in the order in which they were recorded. */
export type AutonomyEvent =
  /** `number` is the issue. */
  | { type: "judged"; isAccepted: boolean; number: number }
  /** A person takes trust back: the kind falls to `suggest` and stays there. */
  | { type: "vetoed" }
  /** A person lets the kind earn trust again, from nothing. */
  | { type: "released" };

/** The levels that trust is earned on, from the lowest. */
const LADDER = ["shadow", "suggest", "apply"] as const;
export type EarnedLevel = (typeof LADDER)[number];

export interface AutonomyState {
  level: EarnedLevel;
  /** A person's veto stands. */
  isHeld: boolean;
  /** Since the last move, veto or release; at most `WINDOW`. */
  judged: readonly boolean[];
  /** The moves so far, oldest first. A veto is no move. */
  moves: readonly AutonomyMove[];
}

export interface AutonomyMove {
  from: EarnedLevel;
  to: EarnedLevel;
  why: "proven" | "bad-streak" | "below-bar";
  judged: number;
  accepted: number;
  /** Lower bound of the Wilson interval then. */
  lower: number;
  /** The issue whose judgement tipped it. */
  number: number;
}

/** The acceptance that has to be proven, and the fewest judged outcomes that can prove it. */
export const ACCEPTANCE_BAR = 0.95;
const FEWEST = 30;
/** Older outcomes say little about the model and the prompt of today. */
const WINDOW = 200;
/** This many consecutive outcomes that people did not accept end the trust at once. */
const BAD_STREAK = 3;

const BEGIN: AutonomyState = { level: "suggest", isHeld: false, judged: [], moves: [] };

/**
 * E4: the level that a kind's record has earned. Pure. It begins at `suggest`; it rises by one level when the Wilson lower
 * bound of acceptance over the last 30 to 200 judged outcomes reaches 0.95; it falls by one level at once after three outcomes
 * in a row that people did not accept, and from `apply` also when the upper bound is below 0.95. After each move it is judged
 * by later judgements only, so that none moves it twice.
 */
export function decideAutonomy(record: readonly AutonomyEvent[]): AutonomyState {
  return record.reduce(step, BEGIN);
}

function step(state: AutonomyState, event: AutonomyEvent): AutonomyState {
  switch (event.type) {
    case "vetoed":
      return { ...state, level: lowerOf(state.level, "suggest"), isHeld: true, judged: [] };
    case "released":
      return { ...state, isHeld: false, judged: [] };
    case "judged": {
      const judged = [...state.judged, event.isAccepted].slice(-WINDOW);
      return moved({ ...state, judged }, event.number);
    }
  }
}

function moved(state: AutonomyState, number: number): AutonomyState {
  const { level, isHeld, judged, moves } = state;
  const accepted = judged.filter(Boolean).length;
  const { lower, upper } = wilsonInterval(accepted, judged.length);
  const direction = directionOf(state, { lower, upper });
  if (direction === null) return state;
  const to = LADDER[LADDER.indexOf(level) + direction.by];
  // At the end of the ladder there is nowhere to go.
  if (to === undefined) return direction.by < 0 ? { ...state, judged: [] } : state;
  const move: AutonomyMove = {
    from: level,
    to,
    why: direction.why,
    judged: judged.length,
    accepted,
    lower,
    number,
  };
  return { level: to, isHeld, judged: [], moves: [...moves, move] };
}

function directionOf(
  { level, judged, isHeld }: AutonomyState,
  { lower, upper }: { lower: number; upper: number },
): { by: -1 | 1; why: AutonomyMove["why"] } | null {
  const last = judged.slice(-BAD_STREAK);
  if (last.length === BAD_STREAK && !last.includes(true)) return { by: -1, why: "bad-streak" };
  if (judged.length < FEWEST) return null;
  if (upper < ACCEPTANCE_BAR && level === "apply") return { by: -1, why: "below-bar" };
  return lower >= ACCEPTANCE_BAR && !isHeld ? { by: 1, why: "proven" } : null;
}

function lowerOf(one: EarnedLevel, other: EarnedLevel): EarnedLevel {
  return LADDER.indexOf(one) < LADDER.indexOf(other) ? one : other;
}
