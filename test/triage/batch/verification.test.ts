import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { proposingAgent } from "../../support/batch/in-process-agent.ts";
import { outcomeWith, reproduction } from "../facts.ts";

// The tests run real batches, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const verificationFile = z.object({
  type: z.literal("reproduced"),
  runs: z.array(z.object({ matched: z.boolean(), screenHash: z.string(), outputExcerpt: z.string() })),
});

test.concurrent("equal runs of a reproduction leave equal evidence, which contains no path of this machine (T8)", async () => {
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

test.concurrent("a script that fails because a tool is missing leaves the issue in triage and asks the reporter nothing (V3, T8)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const { issue: _, ...outcome } = outcomeWith({
    reproduction: { ...reproduction, script: "#!/bin/sh\nno-such-tool --check\n" },
  });
  const { issues } = await stage.run({ ports: { triageAgent: proposingAgent(outcome) } });
  expect(issues).toMatchObject([
    { outcome: "needs-triage", policy: ["reproduction-unproven"], evidence: { verdict: "environment" } },
  ]);
  const [comment] = await stage.github.reader.comments(ref, new AbortController().signal);
  expect(comment?.body).toContain("a program is not installed");
  expect(comment?.body).not.toContain("did not show");
});

test.concurrent("a bug that hangs until the time limit of a run is verified (V3, T8)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "it hangs", labels: ["needs-triage"] });
  const hang = "try { first([]) } catch { setInterval(() => {}, 1000) }";
  const script = `#!/bin/sh\nexec node -e "import('./widget.mjs').then(({ first }) => { ${hang} })"\n`;
  const { issue: _, ...outcome } = outcomeWith({
    reproduction: { ...reproduction, script, expect: { exitCode: 124, outputContains: null } },
  });
  const { issues } = await stage.run({
    settings: { reproduction: { place: "fresh", runs: 1, timeoutMs: 6_000, rangeMs: null } },
    ports: { triageAgent: proposingAgent(outcome) },
  });
  expect(issues).toMatchObject([
    { outcome: "ready-for-agent", policy: ["reproduction-verified"], evidence: { runs: "1/1" } },
  ]);
});
