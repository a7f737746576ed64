import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const SCRIPT = join(import.meta.dirname, "../../scripts/bench-batch.ts");
const HOUR_MS = 3_600_000;
const plenty = {
  provisioners: 100_000,
  coderRequestsPerMinute: 1e9,
  githubRequestsPerMinute: 1e9,
  githubContentPerMinute: 1e9,
};
const usual = { issues: 5_000, shards: 4, cap: 200, buildMs: 60_000, runMs: 480_000, deleteMs: 15_000 };
const resultSchema = z.array(
  z.looseObject({ durationMs: z.number(), idealMs: z.number(), saturatedFirst: z.string() }),
);

const table: readonly [change: object, waitsFor: string, hours: number][] = [
  [{ issues: 100, cap: 5, shards: 1 }, "slots", (20 * 555_000) / HOUR_MS],
  [{ issues: 101, cap: 5, shards: 1 }, "slots", (21 * 555_000) / HOUR_MS],
  [{ githubContentPerMinute: 500 / 60 }, "github-content", 5_000 / 500],
  [{ githubRequestsPerMinute: 5_000 / 60 }, "github-requests", (5_000 * 8) / 5_000],
  [{ provisioners: 10 }, "provisioners", (5_000 * 75_000) / 10 / HOUR_MS],
  [{ coderRequestsPerMinute: 100 }, "coder-requests", (5_000 * 12) / 100 / 60],
];
const scarce = (cap: number): object => ({ provisioners: 5, githubContentPerMinute: 8, cap });
const caps = [1, 5, 25, 100, 200];
const largest = { issues: 100_000, shards: 32, cap: 50 };

/** The results of all scenarios, from one start of the program. */
let results: z.infer<typeof resultSchema>;
beforeAll(async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "scenarios.json");
  const changes = [...table.map(([change]) => change), ...caps.map(scarce), largest];
  const scenario = (change: object): object => ({ ...usual, ...plenty, ...change });
  await writeFile(file, JSON.stringify(changes.map(scenario)));
  const { stdout } = await execa("tsx", [SCRIPT, "--scenarios", file], { preferLocal: true });
  results = resultSchema.parse(JSON.parse(stdout));
}, 60_000);

test("a simulated backlog takes the ideal time with enough resources; otherwise the scarce resource is named and sets the duration (P11)", () => {
  for (const [index, [change, waitsFor, hours]] of table.entries()) {
    const { durationMs, idealMs, saturatedFirst } = results[index] ?? {};
    expect({ change, saturatedFirst }).toEqual({ change, saturatedFirst: waitsFor });
    expect(durationMs).toBeGreaterThanOrEqual(idealMs ?? Number.NaN);
    expect((durationMs ?? 0) / HOUR_MS / hours).toBeCloseTo(1, 1);
  }
});

test("more slots never make a simulated backlog slower, and the largest backlog can be simulated (P11)", () => {
  const durations = results.slice(table.length, -1).map(({ durationMs }) => durationMs);
  expect(durations).toHaveLength(caps.length);
  for (const [index, later] of durations.slice(1).entries())
    expect(later).toBeLessThanOrEqual((durations[index] ?? 0) * 1.01);
  expect((results.at(-1)?.durationMs ?? 0) / HOUR_MS).toBeCloseTo((63 * 555_000) / HOUR_MS, 0);
});
