import { z } from "zod";
import type { Clock } from "agent-tty/kit";
import type { TriageRunFacts } from "../runs/index.ts";
import { batchBindings, batchColumns, type BatchFacts, batchRow, type StartedBatch } from "./batch-row.ts";
import { type Change, changeRow } from "./change-log.ts";
import { type Database, openDatabase } from "./database.ts";
import {
  duplicateLinkBindings,
  duplicateLinkColumns,
  type DuplicateLinkFacts,
  duplicateLinkRow,
  saveDuplicateLink,
  standingLinks,
} from "./duplicate-link.ts";
import { type BatchOverview, type BatchSelection, readBatches } from "./batch-page.ts";
import type { DamagedRow } from "./damaged-row.ts";
import { migrate } from "./migrations.ts";
import type { RunFilter } from "./run-filter.ts";
import { readRunPage, type RunPage, type RunPageQuery } from "./run-page.ts";
import {
  countRuns,
  readBatchCount,
  readBatchesWithLiveRuns,
  readRepositories,
  readRunTotals,
  type RunTotals,
} from "./run-totals.ts";
import { runBindings, runColumns, runRow, upsertRun } from "./run-row.ts";
import {
  type DayResults,
  readDayResults,
  readPhaseTimes,
  readWaits,
  type TimeSpan,
} from "./run-statistics.ts";
import { corrupt } from "./store-error.ts";
import { insertTrustFact, type StoredTrustFact, trustFactColumns, trustFactRow } from "./trust-fact-row.ts";

export interface StoreOptions {
  /** The database file. It and its directory are created private to the user. */
  path: string;
  clock: Clock;
  /**
   * The longest time, in milliseconds, that a call waits for another process's lock; default 2 s. A write takes well
   * under 1 ms.
   */
  busyTimeoutMs?: number;
  /** The number of changes the log keeps. Older ones are deleted when a batch is recorded. */
  keptChanges?: number;
}

/**
 * The read model of Triage Runs (C8), shared by all processes of one home. It decides nothing and emits nothing:
 * readers poll `changesSince`. Every method is synchronous and throws an OperationalError with a StoreErrorCode.
 */
export interface Store extends Disposable {
  readonly path: string;
  recordBatch(batch: StartedBatch): RecordBatchResult;
  /** Saves a run. Writes nothing when the facts are equal to the stored ones. The batch must be recorded first. */
  saveRun(facts: TriageRunFacts): void;
  /** Stores a link (D6). A link between an issue and itself is refused. A `may-be` link never replaces a proven link. */
  linkDuplicates(link: DuplicateLinkFacts): void;
  /** Appends a fact. Returns false if its key is known; then nothing is written. */
  recordTrustFact(fact: StoredTrustFact): boolean;
  /** Records the end of a batch. `summary` is the parsed JSON summary of the batch. */
  finishBatch(runId: string, summary: unknown): void;
  /** Returns null for a batch that is not in this home. */
  batch(runId: string): BatchFacts | null;
  /** Returns the latest `limit` batches, newest first. */
  batches(limit: number): BatchFacts[];
  /** Returns the runs of a batch, ordered by repository and number. */
  runsOfBatch(runId: string): TriageRunFacts[];
  run(runId: string, repo: string, number: number): TriageRunFacts | null;
  latestRun(repo: string, number: number): TriageRunFacts | null;
  /** Returns the runs of an issue, newest batch first. */
  runsOfIssue(repo: string, number: number, limit: number): TriageRunFacts[];
  /** Returns the latest run of every issue, newest batch first. */
  latestRuns(selection: LatestRuns): TriageRunFacts[];
  /** Returns runs of all batches, newest batch first; `repo` null means every repository. */
  recentRuns(limit: number, repo: string | null): TriageRunFacts[];
  /** Returns the runs that are not settled, including those of a killed parent: ask the batch's `parent`. */
  liveRuns(): TriageRunFacts[];
  /** Returns the runs whose Coder workspace was not seen deleted, including settled runs that left it stranded. */
  holdingRuns(): TriageRunFacts[];
  /** Returns the links that no later decision or undo took back, ordered by number. `repo` null: of every repository. */
  duplicateLinks(repo: string | null): DuplicateLinkFacts[];
  /** Returns the facts, oldest first. `repo` null: of every repository; `number` null: of every issue. */
  trustFacts(repo: string | null, number: number | null): StoredTrustFact[];
  /** Returns the changes that a person can see, after the sequence `cursor` (0: from the start), ascending. */
  changesSince(cursor: number, limit: number): Change[];
  /** Returns the sequence of the last change, where a new reader begins. */
  lastChange(): number;
  /** Returns one page of the runs that match. Unreadable rows are listed in `damaged`, not thrown (B7). */
  runPage(query: RunPageQuery): RunPage;
  /** Returns the exact number of runs that match. */
  countRuns(filter: RunFilter): number;
  /** Returns the exact totals of a batch, of a time span or of all runs. */
  runTotals(filter: Pick<RunFilter, "batch" | "endedAfterMs">): RunTotals;
  /** Returns exact counts of the ended runs that began in a time span, by day and result (B2). */
  dayResults(span: TimeSpan): DayResults[];
  /** Returns exact counts of runs by their issue's wait: up to each edge, in milliseconds; the last count is of the rest. */
  waits(span: TimeSpan, edgesMs: readonly number[]): number[];
  /** Returns the times that runs spent in a phase, in milliseconds, sorted. */
  phaseTimes(span: TimeSpan, phase: string): Float64Array;
  /** Returns the repositories that have runs, by name. */
  repositories(limit: number): string[];
  countBatches(): number;
  /** Returns the run ids of batches with runs in progress, including those of dead parents, newest first. */
  batchesWithLiveRuns(): string[];
  /** Returns batches with the totals of their runs. Unreadable rows are listed in `damaged`, not thrown (B7). */
  batchOverviews(selection: BatchSelection): { batches: BatchOverview[]; damaged: DamagedRow[] };
}

/** At most `limit` runs, newest batch first; only those of these repositories and of this issue number, if they are given. */
export interface LatestRuns {
  limit: number;
  repos?: readonly string[];
  number?: number | null;
}

export type RecordBatchResult =
  | { type: "recorded" }
  /** Another parent started in the same second: choose a later run id. */
  | { type: "run-id-taken" };

const BUSY_TIMEOUT_MS = 2_000;
/** The default of `keptChanges`. A Triage Run makes about ten changes, so the log covers the last ten thousand runs. */
const KEPT_CHANGES = 100_000;

/** Opens or creates the store and migrates it. Rejects with an OperationalError with a StoreErrorCode. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { path, clock, busyTimeoutMs = BUSY_TIMEOUT_MS, keptChanges = KEPT_CHANGES } = options;
  const database = await openDatabase(path, clock, busyTimeoutMs);
  try {
    migrate(database, clock);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    path,
    ...writers(database, { clock, keptChanges }),
    ...readers(database),
    ...lists(database),
    [Symbol.dispose]: () => database.close(),
  };
}

function writers(
  database: Database,
  { clock, keptChanges }: { clock: Clock; keptChanges: number },
): Pick<Store, "recordBatch" | "saveRun" | "finishBatch" | "linkDuplicates" | "recordTrustFact"> {
  const insertBatch =
    "INSERT INTO batches (run_id, parent, provider, repos, started_at_ms) VALUES (:runId, :parent, :provider, :repos, :startedAtMs) ON CONFLICT DO NOTHING";
  // The last change is never deleted, because the next sequence is derived from it.
  const forget =
    "DELETE FROM change_log WHERE seq <= (SELECT max(seq) FROM change_log) - max(:keptChanges, 1)";
  const finish =
    "UPDATE batches SET finished_at_ms = :atMs, summary = :summary WHERE run_id = :runId AND finished_at_ms IS NULL";
  return {
    recordBatch: (batch) =>
      database.write("recording the batch", () => {
        if (database.run(insertBatch, batchBindings(batch)) === 0) return { type: "run-id-taken" };
        database.run(forget, { keptChanges });
        return { type: "recorded" };
      }),
    saveRun: (facts) =>
      database.write("saving a Triage Run", () => {
        database.run(upsertRun, { ...runBindings(facts), updated_at_ms: clock.nowMs() });
      }),
    linkDuplicates: (link) =>
      database.write("storing a duplicate", () => {
        database.run(saveDuplicateLink, { ...duplicateLinkBindings(link), decided_at_ms: clock.nowMs() });
      }),
    recordTrustFact: ({ runId, atMs, detail, ...fact }) =>
      database.write("storing a fact about an outcome", () => {
        const bindings = { ...fact, run_id: runId, at_ms: atMs, detail: JSON.stringify(detail) };
        return database.run(insertTrustFact, bindings) > 0;
      }),
    finishBatch: (runId, summary) =>
      database.write("finishing the batch", () => {
        database.run(finish, { runId, atMs: clock.nowMs(), summary: JSON.stringify(summary) });
      }),
  };
}

function readers(
  database: Database,
): Omit<
  Store,
  | "path"
  | "recordBatch"
  | "saveRun"
  | "finishBatch"
  | "linkDuplicates"
  | "recordTrustFact"
  | keyof ReturnType<typeof lists>
  | typeof Symbol.dispose
> {
  const runs = (rest: string, ...bindings: (string | number)[]): TriageRunFacts[] =>
    parse(database, runRow, database.all(`SELECT ${runColumns} FROM runs ${rest}`, ...bindings));
  return {
    batch: (runId) =>
      parse(
        database,
        batchRow,
        database.all(`SELECT ${batchColumns} FROM batches WHERE run_id = ?`, runId),
      )[0] ?? null,
    batches: (limit) =>
      parse(
        database,
        batchRow,
        database.all(`SELECT ${batchColumns} FROM batches ORDER BY run_id DESC LIMIT ?`, limit),
      ),
    runsOfBatch: (runId) => runs("WHERE run_id = ? ORDER BY repo, number", runId),
    run: (runId, repo, number) =>
      runs("WHERE run_id = ? AND repo = ? AND number = ?", runId, repo, number)[0] ?? null,
    latestRun: (repo, number) =>
      runs("WHERE repo = ? AND number = ? ORDER BY run_id DESC LIMIT 1", repo, number)[0] ?? null,
    runsOfIssue: (repo, number, limit) =>
      runs("WHERE repo = ? AND number = ? ORDER BY run_id DESC LIMIT ?", repo, number, limit),
    // The query reads in the order of the primary key, so that it stops at the limit, however many runs there are.
    latestRuns: ({ limit, repos = [], number = null }) =>
      runs(
        `WHERE NOT EXISTS (SELECT 1 FROM runs AS later WHERE later.repo = runs.repo AND later.number = runs.number AND later.run_id > runs.run_id)${
          repos.length === 0 ? "" : ` AND repo IN (${repos.map(() => "?").join(", ")})`
        }${number === null ? "" : " AND number = ?"} ORDER BY run_id DESC, repo, number LIMIT ?`,
        ...repos,
        ...(number === null ? [] : [number]),
        limit,
      ),
    recentRuns: (limit, repo) =>
      repo === null
        ? runs("ORDER BY run_id DESC, repo, number LIMIT ?", limit)
        : runs("WHERE repo = ? ORDER BY run_id DESC, number LIMIT ?", repo, limit),
    liveRuns: () => runs("WHERE phase <> 'settled' ORDER BY run_id, repo, number"),
    holdingRuns: () => runs("WHERE workspace_state <> 'absent' ORDER BY run_id, repo, number"),
    duplicateLinks: (repo) => {
      const where = repo === null ? standingLinks : `repo = ? AND ${standingLinks}`;
      const sql = `SELECT ${duplicateLinkColumns} FROM duplicate_links WHERE ${where} ORDER BY repo, first, second`;
      return parse(database, duplicateLinkRow, database.all(sql, ...(repo === null ? [] : [repo])));
    },
    trustFacts: (repo, number) => {
      const where = "(?1 IS NULL OR repo = ?1) AND (?2 IS NULL OR number = ?2)";
      const sql = `SELECT ${trustFactColumns} FROM trust_facts WHERE ${where} ORDER BY seq`;
      return parse(database, trustFactRow, database.all(sql, repo, number));
    },
    changesSince: (cursor, limit) =>
      parse(
        database,
        changeRow,
        database.all(
          "SELECT seq, change, run_id, repo, number FROM change_log WHERE seq > ? ORDER BY seq LIMIT ?",
          cursor,
          limit,
        ),
      ),
    lastChange: () =>
      parse(
        database,
        z.object({ seq: z.int() }),
        database.all("SELECT coalesce(max(seq), 0) AS seq FROM change_log"),
      )[0]?.seq ?? 0,
  };
}

function lists(
  database: Database,
): Pick<
  Store,
  | "runPage"
  | "countRuns"
  | "runTotals"
  | "dayResults"
  | "waits"
  | "phaseTimes"
  | "repositories"
  | "countBatches"
  | "batchesWithLiveRuns"
  | "batchOverviews"
> {
  return {
    runPage: (query) => readRunPage(database, query),
    countRuns: (filter) => countRuns(database, filter),
    runTotals: (filter) => readRunTotals(database, filter),
    dayResults: (span) => readDayResults(database, span),
    waits: (span, edgesMs) => readWaits(database, span, edgesMs),
    phaseTimes: (span, phase) => readPhaseTimes(database, span, phase),
    repositories: (limit) => readRepositories(database, limit),
    countBatches: () => readBatchCount(database),
    batchesWithLiveRuns: () => readBatchesWithLiveRuns(database),
    batchOverviews: (selection) => readBatches(database, selection),
  };
}

/** Returns the parsed rows, which are untrusted input. Throws STORE_CORRUPT with the location of the damage. */
function parse<T>(database: Database, schema: z.ZodType<T>, rows: unknown[]): T[] {
  const parsed = z.array(schema).safeParse(rows);
  if (parsed.success) return parsed.data;
  throw corrupt(database.path, z.prettifyError(parsed.error).slice(0, 500), parsed.error);
}
