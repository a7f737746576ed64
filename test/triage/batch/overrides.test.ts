import { expect, test, vi } from "vitest";
import { makePlan } from "../../../src/backtest/index.ts";
import { correctedCases, openTrustLedger } from "../../../src/trust/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent, proposingAgent } from "../../support/batch/in-process-agent.ts";

// The tests run real batches, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const signal = new AbortController().signal;
const DAY_MS = 24 * 3_600_000;

const decliningAgent = proposingAgent({
  outcome: "wontfix",
  confidence: "high",
  established: ["It is documented."],
  wontfix: { reason: "It is meant to be so.", outOfScope: null },
});

/**
 * Opens a stage with an issue that was triaged an hour ago: its reporter was asked a question, or the Triage Agent's proposal was
 * applied.
 */
async function openAskedStage(triageAgent = askingAgent()) {
  const stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  await stage.run({ ports: { triageAgent } });
  stage.advance(3_600_000);
  const ledger = openTrustLedger(stage.store);
  const observe = async () => {
    await stage.run({ ports: { triageAgent: forbiddenAgent } });
    return ledger.readable(null).facts.filter(({ type }) => type !== "decided" && type !== "looked");
  };
  const commentId = async (): Promise<number> =>
    (await stage.github.reader.comments(ref, signal))[0]?.id ?? 0;
  return Object.assign(stage, { ref, ledger, observe, commentId });
}

type Stage = Awaited<ReturnType<typeof openAskedStage>>;

const acts: [string, (stage: Stage) => Promise<unknown>, object[]][] = [
  [
    "a maintainer chose another state",
    ({ github, ref }) => github.label(ref, "maintainer", "ready-for-human"),
    [
      {
        type: "overridden",
        detail: { how: "label-changed", to: "ready-for-human", by: { login: "maintainer" } },
      },
    ],
  ],
  [
    "a stranger chose another state",
    ({ github, ref }) => github.label(ref, "stranger", "ready-for-human"),
    [],
  ],
  [
    "a maintainer put a thumb down below our comment",
    async (stage) => {
      await stage.github.react(stage.ref, "maintainer", "-1", await stage.commentId());
      stage.advance(8 * DAY_MS);
    },
    [{ type: "overridden", detail: { how: "reaction", source: expect.stringContaining("-1") as string } }],
  ],
  [
    "a maintainer hid our comment",
    async (stage) => {
      await stage.github.hideComment(stage.ref, await stage.commentId());
      stage.advance(8 * DAY_MS);
    },
    [{ type: "overridden", detail: { how: "comment-minimised" } }],
  ],
  [
    "a maintainer put a thumb up below our comment and later chose another state",
    async (stage) => {
      await stage.github.react(stage.ref, "maintainer", "+1", await stage.commentId());
      stage.advance(DAY_MS);
      await stage.github.label(stage.ref, "maintainer", "ready-for-human");
      stage.advance(8 * DAY_MS);
    },
    [
      { type: "overridden", detail: { how: "label-changed", to: "ready-for-human" } },
      { type: "endorsed", detail: { how: "reaction" } },
    ],
  ],
  [
    "a maintainer put a thumb up on the issue itself",
    async ({ github, ref, advance }) => {
      await github.react(ref, "maintainer", "+1", null);
      advance(8 * DAY_MS);
    },
    [{ type: "stood" }],
  ],
  [
    "a maintainer chose the next state after the reporter's answer",
    async (stage) => {
      await stage.github.unlabel(stage.ref, "maintainer", "needs-info");
      await stage.github.comment(stage.ref, "reporter", "version 2");
      stage.advance(60_000);
      await stage.github.label(stage.ref, "maintainer", "ready-for-human");
    },
    [{ type: "replied" }],
  ],
];

test.each(acts)("the observed facts about an outcome are right when %s (E3)", async (_, act, expected) => {
  await using stage = await openAskedStage();
  await act(stage);
  expect(await stage.observe()).toMatchObject(expected);
  // A second observation records nothing new.
  const count = stage.ledger.readable(null).facts.length;
  await stage.observe();
  expect(stage.ledger.readable(null).facts).toHaveLength(count);
});

const actsOnClosed: [string, (stage: Stage) => Promise<unknown>, object[]][] = [
  [
    "a maintainer reopened it",
    ({ github, ref }) => github.setState(ref, "maintainer", "open"),
    [{ type: "overridden", detail: { how: "reopened", by: { login: "maintainer", permission: "triage" } } }],
  ],
  ["a stranger reopened it", ({ github, ref }) => github.setState(ref, "stranger", "open"), []],
  [
    "a maintainer deleted our comment",
    async (stage) => {
      await stage.github.removeComment(stage.ref, "maintainer", await stage.commentId());
      stage.advance(8 * DAY_MS);
    },
    [{ type: "overridden", detail: { how: "comment-deleted", by: { login: "maintainer" } } }],
  ],
  [
    "a stranger had their own comment deleted",
    async (stage) => {
      const { id } = await stage.github.comment(stage.ref, "stranger", "buy this");
      await stage.github.removeComment(stage.ref, "maintainer", id);
      stage.advance(8 * DAY_MS);
    },
    [{ type: "stood" }],
  ],
];

test.each(actsOnClosed)(
  "the observed facts about an issue that we closed are right when %s (E3)",
  async (_, act, expected) => {
    await using stage = await openAskedStage(decliningAgent);
    await act(stage);
    expect(await stage.observe()).toMatchObject(expected);
  },
);

test("an applied outcome without objections for a week counts as accepted, with at most four requests (E3)", async () => {
  await using stage = await openAskedStage();
  expect(await stage.observe()).toEqual([]);
  stage.advance(8 * DAY_MS);
  const before = stage.github.calls.length;
  expect(await stage.observe()).toMatchObject([{ type: "stood" }]);
  const observing = new Set(["updatedIssues", "timeline", "reactions"]);
  const asked = stage.github.calls.slice(before).filter(({ operation }) => observing.has(operation));
  expect(asked.map(({ operation }) => operation)).toEqual(["updatedIssues", "timeline", "reactions"]);
  // No outcome is under observation any more, so GitHub is not asked.
  const after = stage.github.calls.length;
  await stage.observe();
  expect(stage.github.calls.slice(after).some(({ operation }) => observing.has(operation))).toBe(false);
});

test("a failure to read earlier outcomes only causes a warning, and the batch triages its issues (E3)", async () => {
  await using stage = await openAskedStage();
  stage.advance(8 * DAY_MS);
  const ref = await stage.github.createIssue({ title: "another bug", labels: ["needs-triage"] });
  const warnings: string[] = [];
  const reader = { ...stage.github.reader, timeline: () => Promise.reject(new Error("HTTP 502")) };
  const summary = await stage.run({
    ports: {
      triageAgent: askingAgent(),
      reader,
      observe: (event) => event.type === "warning" && warnings.push(event.message),
    },
  });
  expect(summary.issues.find(({ number }) => number === ref.number)).toMatchObject({ status: "applied" });
  expect(warnings.join("\n")).toMatch(/earlier outcomes in .* were not read.*HTTP 502/);
});

test("a maintainer's correction becomes a case, which the next backtest replays with the issue in its earlier state (E7)", async () => {
  await using stage = await openAskedStage();
  const { github, ref } = stage;
  await github.label(ref, "maintainer", "ready-for-agent");
  await github.comment(ref, "maintainer", "we know this one");
  await stage.observe();
  const cases = correctedCases(stage.ledger.readable(null).facts);
  expect(cases).toMatchObject([{ number: 1, truth: "worked-on" }]);
  const history = {
    closedIssues: () => Promise.resolve([]),
    originalBody: () => Promise.resolve(null),
    mergeCommit: () => Promise.resolve(null),
  };
  const past = {
    commitBefore: () => Promise.resolve("a".repeat(40)),
    isKnown: () => Promise.resolve(false),
    bundleAt: () => Promise.reject(new Error("no checkout was asked for")),
  };
  const labels = stage.settings.labels;
  const request = { name: "b", repo: github.repo, seed: 1, size: 5, cases, labels, trustedAuthors: [] };
  const plan = await makePlan(
    request,
    { history, past, reader: github.reader, say: () => undefined },
    signal,
  );
  expect(plan.items).toMatchObject([{ number: 1, origin: "case", truth: { outcome: "worked-on" } }]);
  const [item] = plan.items;
  // The past issue contains neither the label that we set nor our triage notes, nor anything later.
  expect(item?.past.issue.labels).toEqual(["needs-triage"]);
  expect(item?.past.comments).toEqual([]);
});
