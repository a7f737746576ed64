import type { z } from "zod";

/**
 * The database of a fleet: PostgreSQL for many machines, a SQLite file for one machine. Every statement runs in both, with `$1`
 * for its first value. Each statement is atomic; there are no transactions over several statements.
 */
export interface Sql extends AsyncDisposable {
  /** Returns the rows of a SELECT or of a RETURNING clause. Rejects with an OperationalError. */
  rows<Row>(schema: z.ZodType<Row>, statement: string, ...values: SqlValue[]): Promise<Row[]>;
  /**
   * Returns the time of the database's clock, the same for all workers, in milliseconds since the Unix epoch. Rejects with an
   * OperationalError.
   */
  nowMs(): Promise<number>;
}

export type SqlValue = string | number | null;
