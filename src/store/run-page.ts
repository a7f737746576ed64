import { z } from "zod";
import type { Database } from "./database.ts";
import { filtersOf, type RunFilter, wordsAlone } from "./run-filter.ts";
import { damageOf, type DamagedRow } from "./damaged-row.ts";
import { runColumns, runRow } from "./run-row.ts";
import type { TriageRunFacts } from "../runs/index.ts";

/** The orders of a list of runs. `started` is the order of recording. */
export const runSorts = {
  started: ["id"],
  issue: ["repo", "number", "id"],
  status: ["urgency", "id"],
  result: ["result", "id"],
  elapsed: ["elapsed_order", "id"],
  cost: ["usd_micros", "id"],
} as const;
export type RunSort = keyof typeof runSorts;

export interface RunPageQuery {
  filter: RunFilter;
  sort: RunSort;
  isDescending: boolean;
  limit: number;
  /** The `next` of the previous page of the same query; null for the first page. */
  after: string | null;
}

export interface RunPage {
  runs: TriageRunFacts[];
  /** Rows of this page that cannot be read (B7). */
  damaged: DamagedRow[];
  /** null after the last page. */
  next: string | null;
}

const keyRow = z.object({ run_id: z.string(), repo: z.string(), number: z.int() });
/** The columns that contain text; all others contain integers. */
const textColumns: ReadonlySet<string> = new Set(["repo", "result"]);
const cursorShape = z.array(z.union([z.string().max(400), z.int()])).max(3);

/** Returns one page of the runs that match the filter, in time that does not depend on the number of runs. */
export function readRunPage(database: Database, query: RunPageQuery): RunPage {
  const { sort, isDescending, limit } = query;
  const keys = runSorts[sort].map((column) => `run_index.${column}`);
  const { conditions, bindings } = filtersOf(database, query.filter);
  const after = query.after === null ? null : parseRunCursor(query.after, sort);
  if (after !== null) {
    const order = isDescending ? "<" : ">";
    conditions.push(`(${keys.join(", ")}) ${order} (${keys.map(() => "?").join(", ")})`);
    bindings.push(...after);
  }
  const words = sort === "started" ? wordsAlone(database, query.filter) : null;
  if (words !== null) return readFoundRuns(database, { ...query, words, afterId: Number(after?.[0] ?? 0) });
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const direction = isDescending ? "DESC" : "ASC";
  const found = database.all(
    `SELECT ${[...new Set([...keys, "run_index.run_id", "run_index.repo", "run_index.number"])].join(", ")} FROM run_index ${where}
     ORDER BY ${keys.map((key) => `${key} ${direction}`).join(", ")} LIMIT ?`,
    ...bindings,
    limit + 1,
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1) as Record<string, string | number> | undefined;
  const hasMore = found.length > limit && last !== undefined;
  return {
    ...readRows(database, rows),
    next: hasMore ? cursorOf(runSorts[sort].map((column) => last[column] ?? 0)) : null,
  };
}

/**
 * Returns a page of a query that only searches, in the order of recording. The search index has the same order, so it is read only
 * as far as the page needs, however many runs match.
 */
function readFoundRuns(
  database: Database,
  { words, afterId, isDescending, limit }: RunPageQuery & { words: string; afterId: number },
): RunPage {
  const [order, direction] = isDescending ? ["<", "DESC"] : [">", "ASC"];
  const found = database.all(
    `SELECT rowid AS id FROM run_text WHERE run_text MATCH ? ${afterId === 0 ? "" : `AND rowid ${order} ${afterId}`} ORDER BY rowid ${direction} LIMIT ?`,
    words,
    limit + 1,
  );
  const ids = z.array(z.object({ id: z.int() })).parse(found);
  const keys = ids
    .slice(0, limit)
    .flatMap(({ id }) => database.all("SELECT run_id, repo, number FROM run_index WHERE id = ?", id));
  const last = ids[limit - 1];
  return {
    ...readRows(database, keys),
    next: ids.length > limit && last !== undefined ? cursorOf([last.id]) : null,
  };
}

/** Returns the values of a cursor; null for a cursor that no page of this order returned. */
export function parseRunCursor(cursor: string, sort: RunSort): (string | number)[] | null {
  try {
    const values = cursorShape.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    const columns = runSorts[sort];
    const isOfOrder =
      values.length === columns.length &&
      columns.every((column, at) => (typeof values[at] === "string") === textColumns.has(column));
    return isOfOrder ? values : null;
  } catch {
    return null;
  }
}

function cursorOf(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

function readRows(database: Database, keys: readonly unknown[]): Pick<RunPage, "runs" | "damaged"> {
  const runs: TriageRunFacts[] = [];
  const damaged: DamagedRow[] = [];
  for (const key of z.array(keyRow).parse(keys)) {
    const rows = database.all(
      `SELECT ${runColumns} FROM runs WHERE run_id = ? AND repo = ? AND number = ?`,
      key.run_id,
      key.repo,
      key.number,
    );
    const parsed = runRow.safeParse(rows[0]);
    if (parsed.success) runs.push(parsed.data);
    else damaged.push(damageOf({ runId: key.run_id, repo: key.repo, number: key.number }, parsed.error));
  }
  return { runs, damaged };
}
