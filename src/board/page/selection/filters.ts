import type { RunRowDocument } from "../../api/index.ts";

export const sortKeys = ["started", "issue", "status", "result", "elapsed", "cost"] as const;
export type SortKey = (typeof sortKeys)[number];

export interface RunFilters {
  /** The run id of a Triage Batch; null: all batches. */
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

/** The last 24 hours, in milliseconds. */
const RECENT_MS = 24 * 3_600_000;

/** Returns whether the run belongs to the chosen Triage Batch or time. */
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
  return [...runs].filter((run) => isShown(run, filters, nowMs)).sort(byOrder(filters));
}

/** Returns the comparison function of the chosen order, which is the same as the server's order. */
export function byOrder({
  sort,
  isDescending,
}: Pick<RunFilters, "sort" | "isDescending">): (a: RunRowDocument, b: RunRowDocument) => number {
  const direction = isDescending ? -1 : 1;
  const compare = comparison(sort);
  return (a, b) => direction * (compare(a, b) || a.startedAtMs - b.startedAtMs || a.number - b.number);
}

/** Returns whether the run matches the filters. */
export function isShown(run: RunRowDocument, filters: RunFilters, nowMs: number): boolean {
  return (
    isChosen(run, filters, nowMs) &&
    (filters.repo === null || run.repo === filters.repo) &&
    (filters.status === null || run.displayStatus === filters.status) &&
    (filters.result === null || resultOf(run) === filters.result) &&
    (!filters.onlyLive || run.settledAtMs === null) &&
    matches(run, wordsOf(filters.text))
  );
}

/** Returns whether the run is in progress; a run whose parent is dead is not. */
export function isLive(run: RunRowDocument): boolean {
  return run.settledAtMs === null && run.parentLost === null;
}

/** Returns whether the run waits for a person. A run whose parent is dead does not, because a person cannot answer it. */
export function isWaiting(run: RunRowDocument): boolean {
  return isLive(run) && run.displayStatus === "needs_input";
}

/** Returns the Display Status, or `parent_lost` for a run in progress whose parent is dead. */
export function shownStatus({ displayStatus, parentLost }: RunRowDocument): string {
  return parentLost === null ? displayStatus : "parent_lost";
}

/** Returns the run's duration so far, in milliseconds. If its parent is dead, the duration ends when the parent was last seen. */
export function elapsedMs(run: RunRowDocument, nowMs: number): number {
  const endMs = run.settledAtMs ?? run.parentLost?.lastSeenAtMs ?? nowMs;
  return Math.max(0, endMs - run.startedAtMs);
}

/** Returns whether each searched word is the beginning of a word of the run. */
function matches(run: RunRowDocument, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { repo, number, title, category, end, policy } = run;
  const ending = [resultOf(run), end?.reason, ...policy, end?.error?.code, end?.error?.message].join(" ");
  const all = wordsOf(`${repo} ${number} ${title ?? ""} ${category ?? ""} ${ending}`);
  return words.every((word) => all.some((one) => one.startsWith(word)));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

function comparison(key: SortKey): (a: RunRowDocument, b: RunRowDocument) => number {
  switch (key) {
    case "started":
      return (a, b) => a.startedAtMs - b.startedAtMs;
    case "issue":
      return (a, b) => textOrder(a.repo, b.repo) || a.number - b.number;
    case "status":
      return (a, b) => urgencyOf(a) - urgencyOf(b);
    case "result":
      return (a, b) => textOrder(resultOf(a) ?? "", resultOf(b) ?? "");
    case "elapsed":
      return (a, b) => elapsedOrder(a) - elapsedOrder(b);
    case "cost":
      return (a, b) => (a.usage?.usd ?? 0) - (b.usage?.usd ?? 0);
  }
}

/**
 * Returns the urgency of a run: 0 for a run that waits for input, 1 for a run that is working, 2 for any other run in progress, 3
 * for a run that has ended.
 */
function urgencyOf({ end, displayStatus }: RunRowDocument): number {
  if (end !== null) return 3;
  return displayStatus === "needs_input" ? 0 : displayStatus === "working" ? 1 : 2;
}

/** Returns the number by which runs are sorted by duration. Runs in progress are above all durations, the oldest highest. */
function elapsedOrder({ settledAtMs, startedAtMs }: RunRowDocument): number {
  return settledAtMs === null ? 1e15 - startedAtMs : settledAtMs - startedAtMs;
}

function textOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
