import { z } from "zod";

/** A change recorded by a trigger. It names the row, not its contents: a reader reads the row's current contents. */
export type Change =
  | { seq: number; type: "batch-recorded" | "batch-updated"; runId: string }
  | { seq: number; type: "run-recorded" | "run-updated"; runId: string; repo: string; number: number };

const row = z.object({ seq: z.int(), run_id: z.string() });

export const changeRow = z.discriminatedUnion("change", [
  row
    .extend({ change: z.enum(["batch-recorded", "batch-updated"]) })
    .transform((row): Change => ({ seq: row.seq, type: row.change, runId: row.run_id })),
  row
    .extend({ change: z.enum(["run-recorded", "run-updated"]), repo: z.string(), number: z.int() })
    .transform((row): Change => ({
      seq: row.seq,
      type: row.change,
      runId: row.run_id,
      repo: row.repo,
      number: row.number,
    })),
]);
