import { z } from "zod";
import { storedJson } from "./stored-json.ts";

/** A fact about an outcome, or about autonomy, as the store keeps it. `src/trust` knows what `type` and `detail` mean. */
export interface StoredTrustFact {
  /** A fact whose key is known is not written again, so that observing twice is observing once. */
  key: string;
  repo: string;
  /** null: it is about no single issue. */
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
