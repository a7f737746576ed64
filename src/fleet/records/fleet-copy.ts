import { join } from "node:path";
import { type Clock, type Ids, messageOf } from "agent-tty/kit";
import { z } from "zod";
import { openRecordCopy, type RecordCopy } from "../../store/index.ts";
import type { Sql } from "../sql/index.ts";
import {
  type ArrivedRecord,
  nameRecordSet,
  type RecordCursor,
  readRecordFacts,
  readRecords,
} from "./record-table.ts";

/** A store on this machine that holds the Triage Runs of all workers of a fleet. */
export interface FleetCopy extends Disposable {
  /** The path of the SQLite file, which is opened like any store. */
  readonly storePath: string;
  /** Copies the records that have arrived. Rejects with FLEET_DATABASE_UNAVAILABLE or a StoreErrorCode. */
  refresh(signal: AbortSignal): Promise<void>;
  /**
   * Copies records as they arrive, until the signal aborts. Consecutive failures are reported once, and the copied records stay
   * readable.
   */
  follow(signal: AbortSignal): Promise<void>;
}

export interface FleetCopyOptions {
  sql: Sql;
  /** The directory in which the file is created; it may be deleted at any time between two uses. */
  directory: string;
  clock: Clock;
  ids: Ids;
  onFailure: (message: string) => void;
}

const PAUSE_MS = 1_000;
const AT_ONCE = 500;
const SET_BYTES = 6;
const START: RecordCursor = { order: "key", arrival: 0, kind: "", key: "", store: "" };

const cursorJson = z.object({
  order: z.enum(["key", "arrival"]),
  arrival: z.number(),
  kind: z.string(),
  key: z.string(),
  store: z.string(),
});

/** Opens or creates the copy of a fleet's records. Rejects with FLEET_DATABASE_UNAVAILABLE or a StoreErrorCode. */
export async function openFleetCopy(options: FleetCopyOptions): Promise<FleetCopy> {
  const { sql, directory, clock, ids, onFailure } = options;
  const set = await nameRecordSet(sql, Number.parseInt(ids.hex(SET_BYTES), 16));
  // Each database has its own set of records, and therefore its own file.
  const storePath = join(directory, set, "store.sqlite");
  const copy = await openRecordCopy(storePath, clock);
  let isFailing = false;
  let forgottenMs = 0;
  const refresh = async (signal: AbortSignal): Promise<void> => {
    const facts = await readRecordFacts(sql);
    if (facts.floorMs > forgottenMs) copy.forgetBefore(facts.floorMs);
    forgottenMs = facts.floorMs;
    let cursor = startOf(copy, facts.arrival);
    while (!signal.aborted) {
      const records = await readRecords(sql, cursor, AT_ONCE);
      if (records.length === 0 && cursor.order === "arrival") return;
      cursor = nextCursor(cursor, records);
      const refused = copy.apply(records, JSON.stringify(cursor));
      if (refused.length > 0)
        onFailure(`${refused.length} rows of the fleet cannot be shown, e.g. ${refused[0]}`);
      if (records.length < AT_ONCE && cursor.order === "arrival") return;
    }
  };
  return {
    storePath,
    refresh,
    follow: async (signal) => {
      while (!signal.aborted) {
        await refresh(signal).then(
          () => (isFailing = false),
          (error: unknown) => {
            if (!isFailing && !signal.aborted)
              onFailure(`read the Triage Runs of the fleet: ${messageOf(error)}`);
            isFailing = true;
          },
        );
        await clock.sleep(PAUSE_MS, signal).catch(() => undefined);
      }
    },
    [Symbol.dispose]: () => copy[Symbol.dispose](),
  };
}

/** Returns the stored cursor; the start cursor if none is stored, or if the database was restored to an earlier state. */
function startOf(copy: RecordCopy, arrival: number): RecordCursor {
  const text = copy.cursor();
  const known = text === null ? null : cursorJson.parse(JSON.parse(text));
  return known === null || known.arrival > arrival ? { ...START, arrival } : known;
}

/** Returns the cursor after these records. A row that changes during the read by key is read again by its arrival. */
function nextCursor(cursor: RecordCursor, records: readonly ArrivedRecord[]): RecordCursor {
  const last = records.at(-1);
  if (cursor.order === "arrival") {
    if (last === undefined) return cursor;
    const { arrival, kind, key, store } = last;
    return { order: "arrival", arrival, kind, key, store };
  }
  if (last !== undefined && records.length === AT_ONCE) {
    const { kind, key, store } = last;
    return { ...cursor, kind, key, store };
  }
  // No kind sorts after "~", so this cursor is after all rows of this arrival.
  return { order: "arrival", arrival: cursor.arrival, kind: "~", key: "", store: "" };
}
