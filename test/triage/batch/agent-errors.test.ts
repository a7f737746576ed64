import { expect, test } from "vitest";
import { noUsage, type TriageAgent } from "../../../src/triage/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";

test("a Triage Agent that gives up with an error of its own and leaves no outcome fails the issue, and nothing is published (T9)", async () => {
  await using stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "an issue", labels: ["needs-triage"] });
  const problem = "Please run /login · API Error: 401 authentication_error";
  const run: TriageAgent["run"] = () =>
    Promise.resolve({ type: "finished", exitCode: 0, problem, usage: noUsage });
  const { issues } = await stage.run({ ports: { triageAgent: { ...askingAgent(), run } } });
  expect(issues).toMatchObject([{ status: "failed", error: { code: "TRIAGE_AGENT_FAILED" } }]);
  expect(issues[0]?.error?.message).toContain("API Error: 401");
  expect(await stage.github.reader.comments(ref, new AbortController().signal)).toEqual([]);
}, 120_000);
