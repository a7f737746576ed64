import { z } from "zod";
import type { BatchDocument } from "../api/index.ts";
import type { BatchOverview } from "../../store/index.ts";

const ends = ["applied", "skipped", "locked", "requeued", "failed"] as const;

/** The totals of a summary; a summary of another program version may lack some of them. */
const summaryTotals = z.object(Object.fromEntries(ends.map((end) => [end, z.int()]))).partial();
const strandedList = z.array(z.object({ name: z.string(), error: z.object({ message: z.string() }) }));

const keptList = z.array(
  z.object({ repo: z.string(), number: z.int(), name: z.string(), until: z.iso.datetime() }),
);

/**
 * Returns a batch as the board shows it. The totals come from its runs and, at the end, from its summary: only the summary counts
 * issues that were skipped before a run began.
 */
export function batchDocument(
  batch: BatchOverview,
  parentState: BatchDocument["parent"]["state"],
): BatchDocument {
  const { runId, repos, provider, parent, startedAtMs, finishedAtMs, totals, summary } = batch;
  const statuses = totals?.statuses ?? {};
  const told: Record<string, number | undefined> = summaryTotals.safeParse(summary.totals).data ?? {};
  const count = (end: (typeof ends)[number]): number => told[end] ?? statuses[end] ?? 0;
  const usd = summary.usd ?? totals?.usd ?? 0;
  return {
    runId,
    repos: [...repos],
    provider,
    parent: { name: parent, state: parentState },
    startedAtMs,
    finishedAtMs,
    totals: {
      live: statuses["live"] ?? 0,
      applied: count("applied"),
      skipped: count("skipped"),
      locked: count("locked"),
      requeued: count("requeued"),
      failed: count("failed"),
    },
    usd: usd === 0 ? null : usd,
    stranded: (strandedList.safeParse(summary.stranded).data ?? []).map(({ name, error }) => ({
      name,
      message: error.message,
    })),
    kept: (keptList.safeParse(summary.kept).data ?? []).map(({ repo, number, name, until }) => ({
      name,
      issue: `${repo}#${number}`,
      untilMs: Date.parse(until),
    })),
  };
}
