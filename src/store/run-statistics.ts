import { z } from "zod";
import type { Database } from "./database.ts";

/** The number of ended runs with one result that began on one UTC day (days since the Unix epoch). */
export interface DayResults {
  day: number;
  result: string;
  runs: number;
  /** The number of runs that reported a cost, and their total cost in US dollars. */
  usdRuns: number;
  usd: number;
}

const DAY_MS = 86_400_000;
/**
 * The time span of one piece: durations are read in pieces, by the start of their runs, to bound the memory for the text of a
 * piece.
 */
const PIECE_MS = 32 * DAY_MS;

const dayRow = z.object({
  day: z.int(),
  result: z.string(),
  runs: z.int(),
  usd_runs: z.int(),
  usd_micros: z.int(),
});
const waitRow = z.object({ bin: z.int(), runs: z.int() });
const pieceRow = z.object({ count: z.int(), times: z.string().nullable() });

/**
 * Returns the numbers of ended runs that began within the time span (milliseconds since the Unix epoch, the earlier end excluded),
 * by day and result.
 */
export function readDayResults(database: Database, span: TimeSpan): DayResults[] {
  const rows = database.all(
    `SELECT began_at_ms / ${DAY_MS} AS day, result, count(*) AS runs, sum(usd_micros > 0) AS usd_runs, sum(usd_micros) AS usd_micros
     FROM run_index WHERE began_at_ms > ? AND began_at_ms <= ? AND result <> '' GROUP BY day, result ORDER BY day, result`,
    span.afterMs,
    span.untilMs,
  );
  return z
    .array(dayRow)
    .parse(rows)
    .map(({ day, result, runs, usd_runs, usd_micros }) => ({
      day,
      result,
      runs,
      usdRuns: usd_runs,
      usd: usd_micros / 1_000_000,
    }));
}

/** The time span in which runs began: later than `afterMs`, not later than `untilMs`, in milliseconds since the Unix epoch. */
export interface TimeSpan {
  afterMs: number;
  untilMs: number;
}

/**
 * Returns the numbers of runs by how long their issue had waited before the run. Each count is of waits up to one edge (ascending,
 * in milliseconds) and longer than the previous edge; the last count is of waits above all edges.
 */
export function readWaits(database: Database, span: TimeSpan, edgesMs: readonly number[]): number[] {
  const rows = database.all(
    `SELECT ${edgesMs.map((edge) => `(took_ms > ${edge})`).join(" + ")} AS bin, count(*) AS runs
     FROM run_times WHERE name = 'waiting' AND began_at_ms > ? AND began_at_ms <= ? GROUP BY bin`,
    span.afterMs,
    span.untilMs,
  );
  const counts = new Map(
    z
      .array(waitRow)
      .parse(rows)
      .map(({ bin, runs }) => [bin, runs]),
  );
  return [...edgesMs, null].map((_, bin) => counts.get(bin) ?? 0);
}

/** Returns the times that runs spent in a phase, in milliseconds, sorted. */
export function readPhaseTimes(database: Database, span: TimeSpan, phase: string): Float64Array {
  const pieces: Float64Array[] = [];
  for (let afterMs = span.afterMs; afterMs < span.untilMs; afterMs += PIECE_MS)
    pieces.push(readPiece(database, { afterMs, untilMs: Math.min(afterMs + PIECE_MS, span.untilMs) }, phase));
  const all = new Float64Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all.sort();
}

/** Returns the sorted times of one piece. They are read as one text, which costs a tenth of reading them as rows. */
function readPiece(database: Database, { afterMs, untilMs }: TimeSpan, phase: string): Float64Array {
  const { count, times } = pieceRow.parse(
    database.all(
      "SELECT count(*) AS count, group_concat(took_ms) AS times FROM run_times WHERE name = ? AND began_at_ms > ? AND began_at_ms <= ?",
      phase,
      afterMs,
      untilMs,
    )[0],
  );
  const piece = new Float64Array(count);
  if (times === null) return piece;
  let from = 0;
  for (let index = 0; index < count; index += 1) {
    const end = times.indexOf(",", from);
    piece[index] = Number(end === -1 ? times.slice(from) : times.slice(from, end));
    from = end + 1;
  }
  return piece;
}
