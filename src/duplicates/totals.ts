import { z } from "zod";
import type { Database } from "../store/index.ts";

/** Sums over the whole index, updated with every change. */
export interface Totals {
  issues: number;
  titleWords: number;
  bodyWords: number;
  /** The position at which the feed continues; null before the first page. */
  cursor: string | null;
}

const totalsRow = z.object({
  issues: z.number(),
  title_words: z.number(),
  body_words: z.number(),
  cursor: z.string().nullable(),
});

/** Returns the numbers of indexed issues and words, and the feed's cursor. */
export function readTotals(database: Database): Totals {
  const [row] = database.all("SELECT issues, title_words, body_words, cursor FROM totals");
  const { issues, title_words, body_words, cursor } = totalsRow.parse(row);
  return { issues, titleWords: title_words, bodyWords: body_words, cursor };
}

/** Adds to the sums; use negative numbers for removed issues. Call it only inside a transaction. */
export function addTotals(database: Database, issues: number, titleWords: number, bodyWords: number): void {
  database.run(
    "UPDATE totals SET issues = issues + :issues, title_words = title_words + :titleWords, body_words = body_words + :bodyWords",
    { issues, titleWords, bodyWords },
  );
}
