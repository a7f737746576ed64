import { OperationalError } from "agent-tty/kit";
import { expect, test, vi } from "vitest";
import { type IssueRef, renderTriageNotes } from "../../../src/github/index.ts";
import { type BatchStage, nothingLeft, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";
import { worldPeople } from "../../support/github/github-world.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const { reporter, maintainer } = worldPeople;

type Happening = (stage: BatchStage, ref: IssueRef) => unknown;

/**
 * Lets something happen to each issue while its Triage Agent works. Checks the issue's line in the summary, and that nothing was
 * written.
 */
async function check(happenings: readonly (readonly [Happening, string])[]): Promise<void> {
  await using stage = await openBatchStage();
  const { github } = stage;
  const refs: IssueRef[] = [];
  for (const _ of happenings)
    refs.push(await github.createIssue({ title: "it breaks", labels: ["needs-triage"] }));
  const { issues } = await stage.run({
    ports: {
      triageAgent: askingAgent(async (number) => {
        const [at, ref] = [number - 1, refs[number - 1]];
        if (ref !== undefined) await happenings[at]?.[0](stage, ref);
      }),
    },
  });
  expect(issues.map(({ status, reason }) => `${status} ${reason}`)).toEqual(
    happenings.map(([, expected]) => expected),
  );
  expect(issues.map(({ workspace }) => workspace?.destroyed)).toEqual(happenings.map(() => true));
  const writes = new Set<string>(["publishComment", "addLabels", "removeLabel", "closeIssue"]);
  expect(github.calls.filter(({ operation }) => writes.has(operation))).toEqual([]);
  expect(await stage.left()).toEqual(nothingLeft);
}

test.concurrent("the batch writes nothing stale when people change the issue while the Triage Agent works (S13, T4)", async () => {
  const changed = "requeued issue-changed";
  await check([
    [({ github }, ref) => github.editIssue(ref, reporter, { title: "no, it does not" }), changed],
    [({ github }, ref) => github.editIssue(ref, reporter, { body: "more" }), changed],
    [({ github }, ref) => github.comment(ref, maintainer, "Found it."), changed],
    [({ github }, ref) => github.label(ref, maintainer, "ready-for-human"), changed],
    [({ github }, ref) => github.unlabel(ref, maintainer, "needs-triage"), changed],
    [({ github }, ref) => github.setState(ref, maintainer, "closed"), changed],
    [({ github }, ref) => github.lock(ref, maintainer), changed],
    [({ github }, ref) => github.remove(ref, "transferred"), "requeued issue-transferred"],
    [({ github }, ref) => github.remove(ref, "deleted"), "requeued issue-deleted"],
  ]);
});

test.concurrent("the batch writes nothing if its lock was lost or cannot be proven (T4)", async () => {
  await using stage = await openBatchStage();
  const { github, provider } = stage;
  for (const title of ["lost", "unknown"]) await github.createIssue({ title, labels: ["needs-triage"] });
  const names = new Map<string, string>();
  const { issues } = await stage.run({
    ports: {
      triageAgent: askingAgent(),
      provider: {
        ...provider,
        create: async (request, signal) => {
          const created = await provider.create(request, signal);
          if (created.type === "created") names.set(created.workspace.id, request.name);
          return created;
        },
        leaseState: async (id) => (names.get(id)?.endsWith("-1") === true ? "lost" : "unknown"),
      },
    },
  });
  expect(issues).toMatchObject([
    { status: "requeued", reason: "lease-lost", commentUrl: null },
    { status: "requeued", reason: "lease-unknown", commentUrl: null },
  ]);
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("the batch does not publish again when our own notes have appeared in the meantime (T7, T11)", async () => {
  const publishing: Happening = async ({ github, ports }, ref) => {
    const [secret] = ports.markers.keys;
    const notes = { issue: ref.number, outcome: "needs-info", run: "20260101T000000Z" } as const;
    const body = renderTriageNotes({ ...notes, repo: ref.repo, body: "Which version?", secret });
    await github.comment(ref, github.viewerLogin, body);
  };
  await check([[publishing, "requeued already-published"]]);
});

test.concurrent("a parent that was suspended for too long after its last look writes nothing (T4, T11)", async () => {
  await using stage = await openBatchStage();
  const { github, provider } = stage;
  await github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const { issues } = await stage.run({
    ports: {
      triageAgent: askingAgent(),
      provider: {
        ...provider,
        leaseState: async (id, signal) => {
          const state = await provider.leaseState(id, signal);
          stage.advance(2 * 3_600_000);
          return state;
        },
      },
    },
  });
  expect(issues).toMatchObject([{ status: "requeued", reason: "look-outdated", commentUrl: null }]);
  expect(github.calls.filter(({ operation }) => operation === "publishComment")).toEqual([]);
  expect(await stage.left()).toEqual(nothingLeft);
});

test.concurrent("an issue that vanishes between two reads is skipped or requeued, and the batch continues (S13)", async () => {
  for (const when of ["selecting", "re-check"] as const) {
    await using stage = await openBatchStage();
    const { github } = stage;
    const gone = await github.createIssue({ title: "vanishing", labels: ["needs-triage"] });
    await github.comment(gone, reporter, "More.");
    await github.createIssue({ title: "staying", labels: ["needs-triage"] });
    const reads = { selecting: 1, "re-check": 2 }[when];
    let seen = 0;
    github.intercept = ({ operation, ref }, phase) => {
      if (operation === "comments" && phase === "before" && ref?.number === 1) seen += 1;
      if (seen === reads && phase === "before" && operation === "comments" && ref?.number === 1) {
        throw new OperationalError({ code: "GITHUB_ISSUE_GONE", message: "gone", remedy: "none" });
      }
    };
    const { issues } = await stage.run({ ports: { triageAgent: askingAgent() } });
    const status = when === "selecting" ? "skipped" : "requeued";
    expect(issues).toMatchObject([
      { number: 1, status, reason: "issue-gone" },
      { number: 2, status: "applied" },
    ]);
    expect(await stage.left()).toEqual(nothingLeft);
  }
});

test.concurrent("an issue whose conversation is locked right before the comment is requeued, and nothing is written (S13)", async () => {
  await using stage = await openBatchStage();
  const { github } = stage;
  await github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  github.intercept = ({ operation }, phase) => {
    if (operation === "publishComment" && phase === "before")
      throw new OperationalError({ code: "GITHUB_ISSUE_LOCKED", message: "locked", remedy: "none" });
  };
  const { issues } = await stage.run({ ports: { triageAgent: askingAgent() } });
  expect(issues).toMatchObject([{ status: "requeued", reason: "issue-locked", commentUrl: null }]);
  expect(github.calls.filter(({ operation }) => operation === "addLabels")).toEqual([]);
});

test.concurrent("the parent checks the lock after everything else, right before the first write (T4, T11)", async () => {
  await using stage = await openBatchStage();
  const { github, provider } = stage;
  await github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const callsBefore: number[] = [];
  const summary = await stage.run({
    ports: {
      triageAgent: askingAgent(),
      provider: {
        ...provider,
        leaseState: (id, signal) => {
          callsBefore.push(github.calls.length);
          return provider.leaseState(id, signal);
        },
      },
    },
  });
  expect(summary.issues[0]?.status).toBe("applied");
  expect(callsBefore).toHaveLength(1);
  expect(github.calls[callsBefore[0] ?? 0]?.operation).toBe("publishComment");
});
