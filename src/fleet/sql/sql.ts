import type { z } from "zod";

/**
 * One database of a fleet: PostgreSQL for many machines, a SQLite file for one. Every statement runs in both, with `$1` for
 * its first value. A statement is atomic; there are no transactions of several.
 */
export interface Sql extends AsyncDisposable {
  /** Gives the rows of a SELECT, or those that RETURNING names. Rejects with an OperationalError. */
  rows<Row>(schema: z.ZodType<Row>, statement: string, ...values: SqlValue[]): Promise<Row[]>;
  /**
   * The clock of the database, the same for all workers, in milliseconds since the Unix epoch. Rejects with an OperationalError.
   */
  nowMs(): Promise<number>;
}

export type SqlValue = string | number | null;
