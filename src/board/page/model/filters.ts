import type { RunRowDocument } from "../../api/index.ts";

export const sortKeys = ["started", "issue", "status", "result", "elapsed", "cost"] as const;
export type SortKey = (typeof sortKeys)[number];

export interface RunFilters {
  /** Run id of a Triage Batch; null: all of them. */
  batch: string | null;
  /** Only runs in progress, or ended within the last `RECENT_MS`. */
  onlyRecent: boolean;
  text: string;
  repo: string | null;
  status: string | null;
  /** An outcome, or the status of a run that ended without one. */
  result: string | null;
  onlyLive: boolean;
  sort: SortKey;
  isDescending: boolean;
}

export const noFilters: RunFilters = {
  batch: null,
  onlyRecent: false,
  text: "",
  repo: null,
  status: null,
  result: null,
  onlyLive: false,
  sort: "started",
  isDescending: true,
};

/** A night and the day before it, in milliseconds. */
const RECENT_MS = 24 * 3_600_000;

/** Tells whether the run belongs to the chosen Triage Batch or time. */
export function isChosen(
  run: RunRowDocument,
  { batch, onlyRecent }: Pick<RunFilters, "batch" | "onlyRecent">,
  nowMs: number,
): boolean {
  if (onlyRecent && run.settledAtMs !== null && run.settledAtMs <= nowMs - RECENT_MS) return false;
  return batch === null || run.runId === batch;
}

/** Returns the outcome, or the status of a run that ended without one; null while it is in progress. */
export function resultOf({ end }: RunRowDocument): string | null {
  if (end === null) return null;
  return end.status === "failed" ? "failed" : (end.outcome ?? end.status);
}

/** Returns the runs that match the filters, in display order. */
export function shownRuns(
  runs: Iterable<RunRowDocument>,
  filters: RunFilters,
  nowMs: number,
): RunRowDocument[] {
  const words = filters.text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = [...runs].filter((run) => isShown(run, filters, nowMs) && matches(run, words));
  const direction = filters.isDescending ? -1 : 1;
  const compare = comparison(filters.sort, nowMs);
  return shown.sort(
    (a, b) => direction * compare(a, b) || b.startedAtMs - a.startedAtMs || b.number - a.number,
  );
}

/** Returns the possible values of each filter for the present runs. */
export function filterChoices(
  runs: readonly RunRowDocument[],
): Record<"repo" | "status" | "result", string[]> {
  const distinct = (values: (string | null)[]): string[] =>
    [...new Set(values.filter((value) => value !== null))].sort();
  return {
    repo: distinct(runs.map(({ repo }) => repo)),
    status: distinct(runs.map(({ displayStatus }) => displayStatus)),
    result: distinct(runs.map(resultOf)),
  };
}

/** Tells whether the run is in progress. */
export function isLive(run: RunRowDocument): boolean {
  return run.settledAtMs === null;
}

/** Returns the run's duration so far, in milliseconds. */
export function elapsedMs(run: RunRowDocument, nowMs: number): number {
  return Math.max(0, (run.settledAtMs ?? nowMs) - run.startedAtMs);
}

function isShown(run: RunRowDocument, filters: RunFilters, nowMs: number): boolean {
  return (
    isChosen(run, filters, nowMs) &&
    (filters.repo === null || run.repo === filters.repo) &&
    (filters.status === null || run.displayStatus === filters.status) &&
    (filters.result === null || resultOf(run) === filters.result) &&
    (!filters.onlyLive || isLive(run))
  );
}

function matches(run: RunRowDocument, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { repo, number, title, phase, displayStatus, end, policy } = run;
  const ending = [resultOf(run), end?.reason, ...policy, end?.error?.code, end?.error?.message].join(" ");
  const text = `${repo}#${number} ${title} ${phase} ${displayStatus} ${ending}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function comparison(key: SortKey, nowMs: number): (a: RunRowDocument, b: RunRowDocument) => number {
  switch (key) {
    case "started":
      return (a, b) => a.startedAtMs - b.startedAtMs;
    case "issue":
      return (a, b) => a.repo.localeCompare(b.repo) || a.number - b.number;
    case "status":
      return (a, b) => a.displayStatus.localeCompare(b.displayStatus) || a.phase.localeCompare(b.phase);
    case "result":
      return (a, b) => (resultOf(a) ?? "").localeCompare(resultOf(b) ?? "");
    case "elapsed":
      return (a, b) => elapsedMs(a, nowMs) - elapsedMs(b, nowMs);
    case "cost":
      return (a, b) => (a.usage?.usd ?? 0) - (b.usage?.usd ?? 0);
  }
}
