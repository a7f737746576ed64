import { type BacktestItem, backtestReport } from "../../src/backtest/index.ts";
import { type AutonomyEvent, decideAutonomy } from "../../src/trust/index.ts";
import { seeded } from "../support/seeded.ts";

const THEIRS = ["worked-on", "asked", "declined"] as const;

/** Returns issues with a known truth, and the outcomes of a Triage Agent with this accuracy. */
function playedItems(accuracy: number, count: number, random: () => number): BacktestItem[] {
  return Array.from({ length: count }, (_, index) => {
    const theirs = THEIRS[index % THEIRS.length] ?? "asked";
    const wrong = THEIRS[(index + 1) % THEIRS.length] ?? "asked";
    const outcome = random() < accuracy ? theirs : wrong;
    return {
      number: index + 1,
      title: "",
      url: "",
      origin: "sample",
      truth: { outcome: theirs, why: "nothing-tells", fix: null },
      gaps: [],
      ours: { outcome, state: null, close: null, confidence: "high", evidence: null, usd: 0, ms: 0 },
      hasFailed: false,
      usd: 0,
      fix: null,
    };
  });
}

/** Returns in how many repetitions the interval of the agreement covers the accuracy. */
export function coveredBy(accuracy: number, repetitions: number, issues = 300): number {
  const facts = { name: "truth", repo: "o/r", seed: 1, population: {}, left: [] };
  return Array.from({ length: repetitions }, (_, index) => {
    const random = seeded(index + 1 + Math.round(accuracy * 1_000_000));
    const { agreement } = backtestReport(facts, playedItems(accuracy, issues, random));
    return agreement.lower <= accuracy && accuracy <= agreement.upper;
  }).filter(Boolean).length;
}

export interface AutonomyPlay {
  /** The number of repetitions in which the level reached `apply`. */
  rose: number;
  /**
   * The number of repetitions in which the level was `apply` at the end and fell after three further outcomes that were not
   * accepted.
   */
  fell: number;
  atApply: number;
}

export function playAutonomy(accuracy: number, repetitions: number, outcomes = 300): AutonomyPlay {
  const bad: AutonomyEvent[] = [1, 2, 3].map((number) => ({ type: "judged", isAccepted: false, number }));
  const play: AutonomyPlay = { rose: 0, fell: 0, atApply: 0 };
  for (let index = 0; index < repetitions; index += 1) {
    const random = seeded(index + 1 + Math.round(accuracy * 1_000_000));
    const record = Array.from({ length: outcomes }, (_, number): AutonomyEvent => {
      return { type: "judged", isAccepted: random() < accuracy, number };
    });
    const state = decideAutonomy(record);
    if (state.moves.some(({ to }) => to === "apply")) play.rose += 1;
    if (state.level !== "apply") continue;
    play.atApply += 1;
    if (decideAutonomy([...record, ...bad]).level !== "apply") play.fell += 1;
  }
  return play;
}
