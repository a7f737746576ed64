export const recordKinds = ["batch", "run", "duplicate", "trust"] as const;
export type RecordKind = (typeof recordKinds)[number];

/** A row of a store, as it is sent to copies of the store: JSON with the columns as stored. */
export interface StoreRecord {
  kind: RecordKind;
  /** Identifies the row among the rows of its kind; JSON. */
  key: string;
  /** Grows with every change of the store. */
  version: number;
  /** The time at which the batch, run or fact that the row describes began, in epoch milliseconds. */
  beganAtMs: number;
  content: string;
}

interface RecordTable {
  table: string;
  /** Selects the row whose key is `?1`. */
  where: string;
  /** The SQL expression for the time at which it began, in epoch milliseconds. */
  began: string;
}

const part = (index: number): string => `json_extract(?1, '$[${index}]')`;
const columns = (...names: string[]): string =>
  names.map((name, index) => `${name} = ${part(index)}`).join(" AND ");

export const recordTables: Record<RecordKind, RecordTable> = {
  batch: { table: "batches", where: columns("run_id"), began: "started_at_ms" },
  run: {
    table: "runs",
    where: columns("run_id", "repo", "number"),
    began: "coalesce(json_extract(phase_history, '$[0].atMs'), 0)",
  },
  duplicate: {
    table: "duplicate_links",
    where: columns("repo", "first", "second"),
    began: "decided_at_ms",
  },
  trust: { table: "trust_facts", where: `key = ${part(1)}`, began: "at_ms" },
};
