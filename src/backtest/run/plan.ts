import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Ids, writeFileAtomic } from "agent-tty/kit";
import { z } from "zod";
import type { PastIssue } from "../past/index.ts";
import { maintainerOutcomes, type MaintainerVerdict } from "../maintainer-outcome.ts";

const itemSchema = z.object({
  number: z.int().positive(),
  origin: z.enum(["sample", "case"]),
  /** The moment that the issue is taken back to, epoch milliseconds. */
  atMs: z.int(),
  /** The last commit before. */
  base: z.string(),
  /** The commit that fixed it; null: none is known. */
  fix: z.string().nullable(),
  truth: z.object({ outcome: z.enum(maintainerOutcomes), why: z.string(), fix: z.unknown() }),
  past: z.object({ issue: z.looseObject({}), comments: z.array(z.unknown()), gaps: z.array(z.string()) }),
});

/**
 * `afk-triage/backtest-plan@1`: all that a backtest needs of GitHub, so that going on asks it nothing. Issue texts in it are
 * untrusted.
 */
const planSchema = z.object({
  schema: z.literal("afk-triage/backtest-plan@1"),
  name: z.string(),
  repo: z.string(),
  seed: z.int(),
  size: z.int(),
  population: z.record(z.string(), z.int()),
  /** Issues of the sample that could not be taken back, with why. */
  left: z.array(z.object({ number: z.int(), why: z.string() })),
  items: z.array(itemSchema),
});

export type PlannedItem = Omit<z.infer<typeof itemSchema>, "past" | "truth"> & {
  past: PastIssue;
  truth: MaintainerVerdict;
};
export type BacktestPlan = Omit<z.infer<typeof planSchema>, "items"> & { items: PlannedItem[] };

/** null: there is none, or none that this version can read. */
export async function readPlan(directory: string): Promise<BacktestPlan | null> {
  const text = await readFile(join(directory, "plan.json"), "utf8").catch(() => null);
  if (text === null) return null;
  // The file is ours: what is checked is its version, and that it is whole.
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
 * How the samples of two plans differ, for people; null: both hold the same issues at the same moments and commits, so that their
 * outcomes can be compared in pairs. Corrected outcomes, which a later backtest adds, are left out of the comparison.
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
