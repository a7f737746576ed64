import { z } from "zod";
import type { Store } from "../../store/index.ts";
import { unlessDamaged } from "./unless-damaged.ts";

const usage = z.object({ inputTokens: z.number(), outputTokens: z.number(), usd: z.number() });

/** The part of an ended batch's summary that the board reads; a summary of another program version may lack some of it. */
const summarySchema = z.object({
  totals: z.object({
    applied: z.int(),
    skipped: z.int(),
    locked: z.int(),
    requeued: z.int(),
    failed: z.int(),
  }),
  issues: z.array(
    z.object({
      repo: z.string(),
      number: z.int(),
      category: z.string().nullable(),
      policy: z.array(z.string()),
      commentUrl: z.string().nullable(),
      usage,
      timings: z.record(z.string(), z.number()),
    }),
  ),
  stranded: z.array(z.object({ name: z.string(), error: z.object({ message: z.string() }) })),
});
export type SummaryReading = z.infer<typeof summarySchema>;
export type IssueReading = SummaryReading["issues"][number];

const KEPT = 64;

/** The summaries of ended batches. Each is parsed only once, because an ended batch is never written again. */
export class BatchSummaries {
  readonly #kept = new Map<string, ReadonlyMap<string, IssueReading>>();

  /** Returns a batch's summary; null: the batch has not ended, its row is damaged, or its summary cannot be parsed. */
  of(store: Store, runId: string): SummaryReading | null {
    const batch = unlessDamaged(() => store.batch(runId));
    return summarySchema.safeParse(batch?.finished?.summary).data ?? null;
  }

  issue(store: Store, run: { runId: string; repo: string; number: number }): IssueReading | null {
    return this.#issues(store, run.runId)?.get(`${run.repo}#${run.number}`) ?? null;
  }

  #issues(store: Store, runId: string): ReadonlyMap<string, IssueReading> | null {
    const known = this.#kept.get(runId);
    if (known !== undefined) return known;
    const summary = this.of(store, runId);
    if (summary === null) return null;
    const issues = new Map(summary.issues.map((issue) => [`${issue.repo}#${issue.number}`, issue]));
    this.#kept.set(runId, issues);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return issues;
  }
}
