import { expect, test, vi } from "vitest";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent } from "../../support/batch/in-process-agent.ts";

vi.setConfig({ testTimeout: 120_000 });

test.each([
  ["the first key is set", [], ["new key"]],
  ["an old key is dropped", ["old key"], ["new key"]],
])("the batch does not repeat its own notes when %s (S4)", async (_, before, after) => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "It breaks", labels: ["needs-triage"] });
  const first = await stage.run({
    ports: { triageAgent: askingAgent(), markers: { keys: before, trustedAuthors: [] } },
  });
  expect(first.issues[0]).toMatchObject({ status: "applied", outcome: "needs-info" });
  const second = await stage.run({
    ports: { triageAgent: forbiddenAgent, markers: { keys: after, trustedAuthors: [] } },
  });
  expect(second.issues[0]).toMatchObject({ status: "skipped", reason: "needs-info-without-new-activity" });
  expect(await stage.github.reader.comments(ref, new AbortController().signal)).toHaveLength(1);
});
