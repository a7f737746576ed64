import { wilsonInterval } from "../wilson.ts";

/** One entry of a kind's record. Entries are in the order in which they were recorded. */
export type AutonomyEvent =
  /** `number` is the number of the issue. */
  | { type: "judged"; isAccepted: boolean; number: number }
  /** A person vetoes the kind: it falls to `suggest`, unless it is lower, and cannot rise. */
  | { type: "vetoed" }
  /** A person releases the kind: it can earn autonomy again, and earlier judgements do not count. */
  | { type: "released" };

/** The levels that can be earned, from the lowest. */
const LADDER = ["shadow", "suggest", "apply"] as const;
export type EarnedLevel = (typeof LADDER)[number];

export interface AutonomyState {
  level: EarnedLevel;
  /** Whether a person's veto is in force. */
  isHeld: boolean;
  /** Whether each outcome judged since the last move, veto or release was accepted; at most `WINDOW`. */
  judged: readonly boolean[];
  /** The moves so far, the oldest first. A veto is not a move. */
  moves: readonly AutonomyMove[];
}

export interface AutonomyMove {
  from: EarnedLevel;
  to: EarnedLevel;
  why: "proven" | "bad-streak" | "below-bar";
  judged: number;
  accepted: number;
  /** The lower bound of the Wilson interval at that time. */
  lower: number;
  /** The number of the issue whose judgement caused the move. */
  number: number;
}

/** The acceptance that has to be proven, and the minimum of judged outcomes that can prove it. */
export const ACCEPTANCE_BAR = 0.95;
const FEWEST = 30;
/** The newest outcomes that count, because older ones say little about the current model and prompt. */
const WINDOW = 200;
/** This many consecutive outcomes that people did not accept lower the level at once. */
const BAD_STREAK = 3;

const BEGIN: AutonomyState = { level: "suggest", isHeld: false, judged: [], moves: [] };

/**
 * E4: returns the level that a kind's record has earned. Pure. The level begins at `suggest`. It rises by one level when the
 * Wilson lower bound of acceptance over the last 30 to 200 judged outcomes reaches 0.95. It falls by one level at once after
 * three outcomes in a row that people did not accept, and from `apply` also when the upper bound is below 0.95. After each move
 * only later judgements count, so that no judgement moves the level twice.
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
  // The level is already the highest or the lowest.
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
