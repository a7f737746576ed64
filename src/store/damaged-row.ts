import { z } from "zod";

/** A row that cannot be read. Lists omit it and name it separately (B7). */
export interface DamagedRow {
  runId: string;
  /** null for the row of a batch. */
  repo: string | null;
  number: number | null;
  /** The damaged column and its problem. */
  problem: string;
}

const MAX_PROBLEM = 300;

/** Returns the row's key with the reason why it cannot be read. */
export function damageOf(key: Omit<DamagedRow, "problem">, error: z.ZodError): DamagedRow {
  return { ...key, problem: z.prettifyError(error).replaceAll(/\s+/g, " ").slice(0, MAX_PROBLEM) };
}
