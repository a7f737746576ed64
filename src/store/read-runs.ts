import {
  deriveDisplayStatus,
  deriveHandleState,
  type DisplayStatus,
  type Indicator,
  indicator,
  type TriageRunFacts,
  triageRunKey,
} from "../runs/index.ts";
import type { LatestRuns, Store } from "./store.ts";

/** One row of `status`, `list` and `show`. Times are epoch milliseconds. */
export interface RunRow {
  /** `owner/repo#n` */
  key: string;
  displayStatus: DisplayStatus;
  indicator: Indicator;
  startedAtMs: number;
  /** null until the run is settled. */
  settledAtMs: number | null;
  facts: TriageRunFacts;
}

/**
 * The runs to read: all unsettled runs, one run, the runs of one batch, the latest runs of one issue (`limit`: how many, by default
 * one), the latest run of every issue, or the newest runs.
 */
export type RunSelection =
  | { type: "live" }
  | { type: "run"; runId: string; repo: string; number: number }
  | { type: "batch"; runId: string }
  | { type: "issue"; repo: string; number: number; limit?: number }
  | ({ type: "latest" } & LatestRuns)
  | { type: "recent"; limit: number; repo: string | null };

/** Returns runs with their Display Status and indicator, derived at `nowMs` (O3, O20). Throws like the store. */
export function readRuns(
  store: Store,
  nowMs: number,
  selection: RunSelection = { type: "latest", limit: 1_000 },
): RunRow[] {
  return select(store, selection).map((facts) => runRowOf(facts, nowMs));
}

/** Returns the row of one run at `nowMs`. */
export function runRowOf(facts: TriageRunFacts, nowMs: number): RunRow {
  const { history } = facts.progress;
  return {
    key: triageRunKey(facts),
    displayStatus: deriveDisplayStatus(facts, facts.pullRequests, nowMs),
    indicator: indicator(deriveHandleState(facts, nowMs)),
    startedAtMs: history[0]?.atMs ?? nowMs,
    settledAtMs: facts.progress.phase === "settled" ? (history.at(-1)?.atMs ?? nowMs) : null,
    facts,
  };
}

function select(store: Store, selection: RunSelection): TriageRunFacts[] {
  switch (selection.type) {
    case "live":
      return store.liveRuns();
    case "batch":
      return store.runsOfBatch(selection.runId);
    case "latest":
      return store.latestRuns(selection);
    case "recent":
      return store.recentRuns(selection.limit, selection.repo);
    case "run":
      return oneOrNone(store.run(selection.runId, selection.repo, selection.number));
    case "issue":
      return store.runsOfIssue(selection.repo, selection.number, selection.limit ?? 1);
    default:
      return selection satisfies never;
  }
}

function oneOrNone(run: TriageRunFacts | null): TriageRunFacts[] {
  return run === null ? [] : [run];
}
