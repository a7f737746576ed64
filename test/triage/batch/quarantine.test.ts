import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createCanaryDetector, createCommandAgent, createSessionCleaner } from "../../../src/triage/index.ts";
import { nothingLeft, openBatchStage } from "../../support/batch/batch-stage.ts";

// The tests run real batches, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const SECRET = "Zk4tR9mW2q-of-the-parent-7";

test("a quarantined Triage Run leaves no empty recording, names no removed file and warns once, with its issue (S8)", async () => {
  await using stage = await openBatchStage();
  await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const canaries = createCanaryDetector([{ name: "A_TOKEN", value: SECRET }]);
  const { runId, issues } = await stage.run({
    ports: {
      canaries,
      cleaner: createSessionCleaner(canaries),
      triageAgent: createCommandAgent({
        command: ["printf", "%s\\n", Buffer.from(SECRET).toString("base64")],
        environment: {},
      }),
    },
  });
  const [issue] = issues;
  expect(issue?.error?.code).toBe("SECRET_LEAKED");
  expect(issue?.artifacts.eventLog).toBeNull();
  const named = Object.values(issue?.artifacts ?? {}).filter((path) => path !== null);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  expect(readdirSync(join(stage.directory, "runs", runId, "octo__widgets-1"))).not.toContain(
    "recording.cast",
  );
  expect(stage.events.filter(({ type }) => type === "warning")).toEqual([
    { type: "warning", message: issue?.error?.message, ref: { repo: "octo/widgets", number: 1 } },
  ]);
  expect(issue?.error?.remedy).toContain("env -u A_TOKEN afk-triage");
  expect(await stage.left()).toEqual(nothingLeft);
});

test("an issue that quotes a secret of the parent is triaged, but its text is not kept (S8, B10)", async () => {
  await using stage = await openBatchStage();
  const labels = ["needs-triage"];
  const quoting = await stage.github.createIssue({
    title: "it breaks",
    body: `The log says ${SECRET}`,
    labels,
  });
  const other = await stage.github.createIssue({ title: "it breaks too", body: "Without a log", labels });
  const canaries = createCanaryDetector([{ name: "A_TOKEN", value: SECRET }]);
  const { runId, issues } = await stage.run({
    ports: {
      canaries,
      cleaner: createSessionCleaner(canaries),
      triageAgent: createCommandAgent({ command: ["true"], environment: {} }),
    },
  });
  expect(issues.map(({ error }) => error?.code)).not.toContain("SECRET_LEAKED");
  const kept = ({ number }: { number: number }): boolean =>
    existsSync(join(stage.directory, "runs", runId, `octo__widgets-${number}`, "issue.json"));
  expect([kept(quoting), kept(other)]).toEqual([false, true]);
});
