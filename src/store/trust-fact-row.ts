import { z } from "zod";
import { storedJson } from "./stored-json.ts";

/** A stored fact about an outcome or about autonomy. `src/trust` defines the meaning of `type` and `detail`. */
export interface StoredTrustFact {
  /** The key of the fact. A fact with a known key is not written again, so observing it twice has no effect. */
  key: string;
  repo: string;
  /** null: the fact is not about a single issue. */
  number: number | null;
  runId: string;
  type: string;
  atMs: number;
  detail: unknown;
}

export const trustFactColumns = "key, repo, number, run_id, type, at_ms, detail";

export const trustFactRow = z
  .object({
    key: z.string(),
    repo: z.string(),
    number: z.int().nullable(),
    run_id: z.string(),
    type: z.string(),
    at_ms: z.int(),
    detail: storedJson(z.unknown()),
  })
  .transform(({ run_id, at_ms, ...row }): StoredTrustFact => ({ ...row, runId: run_id, atMs: at_ms }));

export const insertTrustFact = `
INSERT INTO trust_facts (${trustFactColumns})
VALUES (:key, :repo, :number, :run_id, :type, :at_ms, :detail) ON CONFLICT (key) DO NOTHING`;
