import { OperationalError } from "agent-tty/kit";
import { expect, test, vi } from "vitest";
import type { IssueComment, IssueRef } from "../../../src/github/index.ts";
import { type BatchStage, defaultSettings, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent, proposingAgent } from "../../support/batch/in-process-agent.ts";
import { worldPeople } from "../../support/github/github-world.ts";

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

const markers = (keys: string[]) => ({ keys, trustedAuthors: [] });
const never = new AbortController().signal;

test.each([["a key"], []].map((keys) => [keys.length, keys] as const))(
  "an edit of our comment alone leads to no second Triage Agent and no second comment, with %i keys (S4, S14)",
  async (_, keys) => {
    await using stage = await openBatchStage();
    const { github } = stage;
    const ref = await github.createIssue({ title: "It breaks", labels: ["needs-triage"] });
    await stage.run({ ports: { triageAgent: askingAgent(), markers: markers(keys) } });
    const [ours] = await github.reader.comments(ref, never);
    stage.advance(60_000);
    const body = ours?.body.replace("Please reply here", "Please answer here") ?? "";
    expect(body).not.toBe(ours?.body);
    await github.editComment(ref, worldPeople.maintainer, ours?.id ?? 0, body);
    stage.advance(60_000);
    const { issues } = await stage.run({ ports: { triageAgent: forbiddenAgent, markers: markers(keys) } });
    expect(issues).toMatchObject([{ status: "skipped", reason: "needs-info-without-new-activity" }]);
    expect(stage.warnings().join()).toContain(`our comment ${ours?.id} was edited`);
  },
);

test("our comment that was edited before its lost answer was noticed is not repeated (S4, T7)", async () => {
  await using stage = await openBatchStage();
  const { github } = stage;
  const ref = await github.createIssue({ title: "It breaks", labels: ["needs-triage"] });
  let isLost = true;
  github.intercept = async ({ operation }, phase) => {
    if (!isLost || operation !== "publishComment" || phase !== "after") return;
    isLost = false;
    const [ours] = await github.reader.comments(ref, never);
    stage.advance(1_000);
    await github.editComment(ref, worldPeople.maintainer, ours?.id ?? 0, `${ours?.body}\nMore.`);
    throw new OperationalError({ code: "GITHUB_UNREACHABLE", message: "it answered 502", remedy: "wait" });
  };
  const { issues } = await stage.run({ ports: { triageAgent: askingAgent() } });
  expect(issues).toMatchObject([{ status: "applied", outcome: "needs-info" }]);
  expect(await github.reader.comments(ref, never)).toHaveLength(1);
});

const suggested = {
  autonomy: { ...defaultSettings.autonomy, "ready-for-agent": "suggest" },
} as const;

/** Proposes a task with a box. Returns our comment. */
async function propose({ github, run }: BatchStage, ref: IssueRef, keys: string[]): Promise<IssueComment> {
  const triageAgent = proposingAgent({
    category: "enhancement",
    outcome: "ready-for-agent",
    confidence: "high",
    questions: [],
    brief: {
      currentBehavior: "No theme.",
      desiredBehavior: "A dark theme.",
      keyInterfaces: [],
      acceptanceCriteria: ["There is a dark theme."],
      outOfScope: [],
    },
  });
  await run({ settings: suggested, ports: { triageAgent, markers: markers(keys) } });
  const [ours] = await github.reader.comments(ref, never);
  expect(ours?.body).toContain("- [ ] There is a dark theme.");
  if (ours === undefined) throw new Error("no comment was published");
  return ours;
}

test.each([["a key"], []].map((keys) => [keys.length, keys] as const))(
  "a proposal whose boxes a maintainer has ticked is accepted without a second Triage Agent, with %i keys (E4, S4)",
  async (_, keys) => {
    await using stage = await openBatchStage();
    const { github } = stage;
    const ref = await github.createIssue({ title: "a theme", labels: ["needs-triage"] });
    const { id, body } = await propose(stage, ref, keys);
    stage.advance(60_000);
    await github.editComment(ref, worldPeople.maintainer, id, body.replace("- [ ]", "- [x]"));
    await github.comment(ref, worldPeople.maintainer, "/triage accept");
    const ports = { triageAgent: forbiddenAgent, markers: markers(keys) };
    const { issues } = await stage.run({ settings: suggested, ports });
    expect(issues).toMatchObject([{ status: "applied", reason: "proposal-accepted" }]);
  },
);

test.each([["a key"], []].map((keys) => [keys.length, keys] as const))(
  "an edit of a proposal alone starts no Triage Agent after the cooldown, also after a rejection, and nothing is applied from it, with %i keys (E4, S4)",
  async (_, keys) => {
    await using stage = await openBatchStage();
    const { github } = stage;
    const ref = await github.createIssue({ title: "a theme", labels: ["needs-triage"] });
    const { id, body } = await propose(stage, ref, keys);
    await github.comment(ref, worldPeople.maintainer, "/triage reject: not now");
    stage.advance(60_000);
    await github.editComment(ref, worldPeople.maintainer, id, body.replace("dark", "bright"));
    stage.advance(30 * 24 * 3_600_000);
    const ports = { triageAgent: forbiddenAgent, markers: markers(keys) };
    const { issues } = await stage.run({ settings: suggested, ports });
    expect(issues).toMatchObject([{ status: "skipped", reason: "proposal-unverified" }]);
  },
);
