import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { type BatchSettings, type BatchSummary, isInShard } from "../../../src/triage/index.ts";
import { nothingLeft, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent } from "../../support/batch/in-process-agent.ts";
import { worldPeople } from "../../support/github/github-world.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const { reporter, maintainer } = worldPeople;
const MINUTE_MS = 60_000;
const never = new AbortController().signal;

function lines({ issues }: BatchSummary): string[] {
  return issues.map(({ number, status, reason }) => `${number} ${status} ${reason}`);
}

/** Opens needs-triage issues, runs with these settings, and compares the lines of the summary. */
async function check(
  issues: number,
  settings: Partial<BatchSettings>,
  expected: readonly string[],
): Promise<void> {
  await using stage = await openBatchStage();
  for (let index = 1; index <= issues; index += 1) {
    await stage.github.createIssue({ title: `issue ${index}`, labels: ["needs-triage"] });
  }
  expect(lines(await stage.run({ settings, ports: { triageAgent: askingAgent() } }))).toEqual(expected);
  expect(await stage.left()).toEqual(nothingLeft);
}

test.concurrent("a batch selects open needs-triage issues and answered needs-info issues, and every issue that it reads has a reason (A28, T1)", async () => {
  await using stage = await openBatchStage();
  const { github } = stage;
  await github.createIssue({ title: "new", labels: ["needs-triage"] });
  const asked = await github.createIssue({ title: "asked", labels: ["needs-triage"] });
  await github.createPullRequest({ title: "a change", labels: ["needs-triage"] });
  const closed = await github.createIssue({ title: "closed", labels: ["needs-triage"] });
  await github.setState(closed, reporter, "closed");
  const locked = await github.createIssue({ title: "locked", labels: ["needs-triage"] });
  await github.lock(locked, maintainer);
  await github.createIssue({ title: "other", labels: ["ready-for-agent"] });
  const ports = { triageAgent: askingAgent() };
  expect(lines(await stage.run({ ports }))).toEqual([
    "1 applied needs-triage",
    "2 applied needs-triage",
    "3 skipped pull-request",
    "5 skipped issue-locked",
  ]);
  stage.advance(5 * MINUTE_MS);
  await github.comment({ repo: github.repo, number: 1 }, maintainer, "I wonder, too.");
  await github.comment(asked, reporter, "It is version 2.");
  expect(lines(await stage.run({ ports }))).toEqual([
    "1 skipped needs-info-without-new-activity",
    "2 applied needs-info-with-new-activity",
    "3 skipped pull-request",
    "5 skipped issue-locked",
  ]);
  expect(await github.reader.comments(asked, never)).toHaveLength(3);
  expect(stage.warnings()).toEqual([]);
});

test.concurrent("--max-issues, --shard and --issue limit what is triaged, together too (T14)", async () => {
  await Promise.all([
    check(2, { maxIssues: 1 }, ["1 applied needs-triage", "2 skipped max-issues"]),
    check(3, { shard: { index: 2, count: 2 } }, ["1 applied needs-triage", "3 applied needs-triage"]),
    check(2, { shard: { index: 2, count: 2 }, onlyIssues: [1, 2] }, [
      "1 applied needs-triage",
      "2 skipped other-shard",
    ]),
    check(3, { onlyIssues: [2, 2, 99] }, ["2 applied needs-triage", "99 skipped issue-not-found"]),
  ]);
});

test("every issue of a backlog belongs to exactly one shard (T14)", () => {
  const backlog = fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 50 });
  fc.assert(
    fc.property(backlog, fc.integer({ min: 1, max: 9_999 }), (numbers, count) => {
      for (const number of numbers) {
        const shards = Array.from({ length: count }, (_, position) => position + 1).filter((index) =>
          isInShard({ repo: "octo/widgets", number }, { index, count }),
        );
        expect(shards).toHaveLength(1);
      }
    }),
    { numRuns: 30 },
  );
});

test.concurrent("a dry run reports which issues are eligible and why, and creates and writes nothing", async () => {
  await using stage = await openBatchStage();
  const { github } = stage;
  await github.createIssue({ title: "new", labels: ["needs-triage"] });
  await github.createIssue({ title: "unanswered", labels: ["needs-info"] });
  const refuse = (): never => {
    throw new Error("a dry run touched it");
  };
  const summary = await stage.run({
    settings: { dryRun: true },
    ports: {
      triageAgent: forbiddenAgent,
      provider: { ...stage.provider, create: refuse, destroy: refuse, list: refuse },
      writer: {
        publishComment: refuse,
        addLabels: refuse,
        removeLabel: refuse,
        closeIssue: refuse,
        reopenIssue: refuse,
        deleteComment: refuse,
      },
    },
  });
  expect(lines(summary)).toEqual(["1 skipped needs-triage", "2 skipped needs-info-with-new-activity"]);
  expect(stage.store.batches(10)).toEqual([]);
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("conflicting labels are named in a comment, without a Triage Agent, and nothing is erased (policy 4)", async () => {
  await using stage = await openBatchStage();
  const { github } = stage;
  const labels = ["bug", "enhancement", "needs-triage", "needs-info"];
  const ref = await github.createIssue({ title: "both", labels });
  const summary = await stage.run({ ports: { triageAgent: forbiddenAgent } });
  expect(summary.issues[0]).toMatchObject({ status: "applied", policy: ["conflicting-labels"] });
  expect(await github.reader.issue(ref, never)).toMatchObject({ issue: { labels, commentCount: 1 } });
  stage.advance(5 * MINUTE_MS);
  expect((await stage.run({ ports: { triageAgent: forbiddenAgent } })).totals.applied).toBe(0);
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("the next batch finishes a publication that was cut off after any write, without a Triage Agent and without a second comment (T7)", async () => {
  const cuts = [
    ["addLabels", "before"],
    ["addLabels", "after"],
    ["removeLabel", "before"],
    ["removeLabel", "after"],
  ] as const;
  await using stage = await openBatchStage();
  const { github } = stage;
  for (const cut of cuts) await github.createIssue({ title: cut.join(), labels: ["needs-triage"] });
  github.intercept = ({ operation, ref }, phase) => {
    const cut = cuts[(ref?.number ?? 0) - 1];
    if (cut?.[0] === operation && cut[1] === phase) throw new Error("the connection was lost");
  };
  const first = await stage.run({ ports: { triageAgent: askingAgent() } });
  const failed = { status: "failed", workspace: { destroyed: true } };
  expect(first.issues).toMatchObject(cuts.map(() => failed));
  github.intercept = () => undefined;
  stage.advance(5 * MINUTE_MS);
  const second = await stage.run({ ports: { triageAgent: forbiddenAgent } });
  // After the last write there is nothing left to do.
  expect(lines(second).filter((line) => line.includes("applied"))).toEqual(
    [1, 2, 3].map((number) => `${number} applied repair`),
  );
  for (const number of [1, 2, 3, 4]) {
    const ref = { repo: github.repo, number };
    expect(await github.reader.comments(ref, never)).toHaveLength(1);
    const lookup = await github.reader.issue(ref, never);
    expect(lookup.type === "found" && lookup.issue.labels.toSorted()).toEqual(["bug", "needs-info"]);
  }
});
