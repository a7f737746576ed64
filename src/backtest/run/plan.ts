import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Ids, parseJson, writeFileAtomic } from "agent-tty/kit";
import { z } from "zod";
import type { PastIssue } from "../past/index.ts";
import { maintainerOutcomes, type MaintainerVerdict } from "../maintainer-outcome.ts";

const itemSchema = z.object({
  number: z.int().positive(),
  origin: z.enum(["sample", "case"]),
  /** The time to which the issue is taken back, in epoch milliseconds. */
  atMs: z.int(),
  /** The last commit of the default branch before that time. */
  base: z.string(),
  /** The commit that fixed the issue; null: none is known. */
  fix: z.string().nullable(),
  truth: z.object({ outcome: z.enum(maintainerOutcomes), why: z.string(), fix: z.unknown() }),
  past: z.object({ issue: z.looseObject({}), comments: z.array(z.unknown()), gaps: z.array(z.string()) }),
});

/**
 * The plan of a backtest, `afk-triage/backtest-plan@1`: all data that a backtest needs from GitHub, so that a continued backtest
 * sends it no requests. Its issue texts are untrusted.
 */
const planSchema = z.object({
  schema: z.literal("afk-triage/backtest-plan@1"),
  name: z.string(),
  repo: z.string(),
  seed: z.int(),
  size: z.int(),
  population: z.record(z.string(), z.int()),
  /** The issues of the sample that could not be taken back, with the reason. */
  left: z.array(z.object({ number: z.int(), why: z.string() })),
  items: z.array(itemSchema),
});

export type PlannedItem = Omit<z.infer<typeof itemSchema>, "past" | "truth"> & {
  past: PastIssue;
  truth: MaintainerVerdict;
};
export type BacktestPlan = Omit<z.infer<typeof planSchema>, "items"> & { items: PlannedItem[] };

/** Returns the plan of a backtest; null: there is none, or this version cannot read it. */
export async function readPlan(directory: string): Promise<BacktestPlan | null> {
  const text = await readFile(join(directory, "plan.json"), "utf8").catch(() => null);
  if (text === null) return null;
  // We wrote the file, so only its version and completeness are checked.
  return (planSchema.safeParse(parseJson(text)).data as BacktestPlan | undefined) ?? null;
}

/**
 * Writes `plan.json` into the backtest's directory, atomically. Rejects with the error of the file system.
 */
export async function savePlan(directory: string, plan: BacktestPlan, ids: Ids): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFileAtomic(join(directory, "plan.json"), JSON.stringify(plan), ids.hex(8));
}

/**
 * Returns for people how the samples of two plans differ; null: both contain the same issues at the same times and commits, so that
 * their outcomes can be compared in pairs. Corrected outcomes are ignored, because a later backtest adds them.
 */
export function sampleDifference(one: BacktestPlan, other: BacktestPlan): string | null {
  if (one.repo !== other.repo) return `one is of ${one.repo}, the other of ${other.repo}`;
  const sampled = (plan: BacktestPlan): PlannedItem[] =>
    plan.items.filter(({ origin }) => origin === "sample");
  const others = new Map(sampled(other).map((item) => [item.number, item]));
  const shared = sampled(one).flatMap((item) => {
    const same = others.get(item.number);
    return same === undefined ? [] : [{ item, same }];
  });
  const [count, otherCount] = [sampled(one).length, others.size];
  if (shared.length !== count || shared.length !== otherCount)
    return `one has ${count} issues, the other ${otherCount}, and ${shared.length} of them are the same`;
  const moved = shared.find(({ item, same }) => item.atMs !== same.atMs || item.base !== same.base);
  return moved === undefined ? null : `they take issue #${moved.item.number} back to different commits`;
}
