import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { openBatchStage } from "../../support/batch/batch-stage.ts";

const verificationFile = z.object({
  type: z.literal("reproduced"),
  runs: z.array(z.object({ matched: z.boolean(), screenHash: z.string(), outputExcerpt: z.string() })),
});

test("equal runs of a reproduction leave equal evidence, without a path of this machine (T8)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "honest", labels: ["needs-triage"] });
  const { issues } = await stage.run({
    settings: { reproduction: { place: "fresh", runs: 3, timeoutMs: 20_000, rangeMs: null } },
  });
  const recording = issues[0]?.artifacts.verification ?? "";
  const text = await readFile(join(dirname(recording), "verification.json"), "utf8");
  const { runs } = verificationFile.parse(JSON.parse(text));
  expect(runs.map((run) => run.matched)).toEqual([true, true, true]);
  expect(new Set(runs.map((run) => run.screenHash)).size).toBe(1);
  expect(runs.filter((run) => run.outputExcerpt.includes("/verify/"))).toEqual([]);
});
