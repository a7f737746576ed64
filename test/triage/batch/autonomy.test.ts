import { expect, test, vi } from "vitest";
import {
  judgedOutcomes,
  openTrustLedger,
  type AutonomySettings,
  type TrustFact,
} from "../../../src/trust/index.ts";
import { auditLogPath, type Outcome, readAuditLog, undoBatch } from "../../../src/triage/index.ts";
import { type BatchChange, defaultSettings, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent, proposingAgent } from "../../support/batch/in-process-agent.ts";

// The tests run real batches, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const signal = new AbortController().signal;
const WRITES = new Set(["publishComment", "addLabels", "removeLabel", "closeIssue"]);

type Stage = Awaited<ReturnType<typeof openAutonomyStage>>;

/** Opens a batch stage with one issue about which a Triage Agent would ask its reporter. */
async function openAutonomyStage() {
  const stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const ledger = openTrustLedger(stage.store);
  return Object.assign(stage, {
    ref,
    ledger,
    triage: (autonomy: Partial<AutonomySettings>, change: BatchChange = {}) =>
      stage.run({
        ...change,
        settings: { autonomy: { ...defaultSettings.autonomy, ...autonomy }, ...change.settings },
        ports: { triageAgent: askingAgent(), ...change.ports },
      }),
    labels: async () => {
      const found = await stage.github.reader.issue(ref, signal);
      return found.type === "found" ? found.issue.labels.toSorted() : [];
    },
    comments: () => stage.github.reader.comments(ref, signal),
    writes: () => stage.github.calls.filter(({ operation }) => WRITES.has(operation)).length,
  });
}

test.each(["off", "shadow"] as const)(
  "the applier writes nothing at level %s, and the issue costs no second Triage Agent until it changes (E4)",
  async (level) => {
    await using stage = await openAutonomyStage();
    const first = await stage.triage({ "needs-info": level });
    expect(first.issues).toMatchObject([
      { status: "skipped", reason: `autonomy-${level}`, outcome: "needs-info", error: null },
    ]);
    expect(stage.writes()).toBe(0);
    expect(stage.ledger.readable(null).facts).toMatchObject([
      { type: "decided", detail: { kind: "needs-info", level, model: "in-process" } },
    ]);
    const second = await stage.triage({ "needs-info": level }, { ports: { triageAgent: forbiddenAgent } });
    expect(second.issues).toMatchObject([{ status: "skipped", reason: `autonomy-${level}` }]);
    // A level that allows publication applies the outcome that was already paid for.
    const third = await stage.triage({}, { ports: { triageAgent: forbiddenAgent } });
    expect(third.issues).toMatchObject([{ status: "applied", outcome: "needs-info" }]);
    expect(await stage.labels()).toContain("needs-info");
  },
);

test.each([
  ["off", "an accepted proposal"],
  ["off", "a publication that was cut off"],
  ["shadow", "an accepted proposal"],
  ["shadow", "a publication that was cut off"],
] as const)("at level %s nothing is written for %s, until the level allows it (E4)", async (level, what) => {
  await using stage = await openAutonomyStage();
  const { github, ref } = stage;
  const forbidden = { ports: { triageAgent: forbiddenAgent } };
  if (what === "an accepted proposal") {
    await propose(stage);
    await github.comment(ref, "maintainer", "/triage accept");
  } else {
    github.intercept = ({ operation }, phase) => {
      if (operation === "addLabels" && phase === "before") throw new Error("cut off");
    };
    expect((await stage.triage({})).issues).toMatchObject([{ status: "failed" }]);
    github.intercept = () => undefined;
  }
  const writes = stage.writes();
  const skipped = [{ status: "skipped", reason: `autonomy-${level}`, error: null }];
  expect((await stage.triage({ "needs-info": level }, forbidden)).issues).toMatchObject(skipped);
  const named = { ...forbidden, settings: { onlyIssues: [ref.number] } };
  expect((await stage.triage({ "needs-info": level }, named)).issues).toMatchObject(skipped);
  expect(stage.writes()).toBe(writes);
  expect(await stage.labels()).toEqual(["needs-triage"]);
  const allowed = await stage.triage({ "needs-info": "suggest" }, forbidden);
  expect(allowed.issues).toMatchObject([{ status: "applied" }]);
  expect(await stage.labels()).toEqual(["bug", "needs-info"]);
});

test("setting the level of one kind does not change other kinds (E4)", async () => {
  await using stage = await openAutonomyStage();
  const { issues } = await stage.triage({ close: "off", "ready-for-agent": "off" });
  expect(issues).toMatchObject([{ status: "applied", outcome: "needs-info" }]);
});

test("a proposal is one comment that names the labels it would set, and it waits for an answer (E4)", async () => {
  await using stage = await openAutonomyStage();
  const suggest = { "needs-info": "suggest" } as const;
  const { issues } = await stage.triage(suggest);
  expect(issues).toMatchObject([{ status: "applied", outcome: "needs-info" }]);
  expect(await stage.labels()).toEqual(["needs-triage"]);
  const [comment] = await stage.comments();
  expect(comment?.body).toContain("**Proposed, not done:** the labels `bug` and `needs-info`.");
  expect(comment?.body).toContain("`/triage accept` or `/triage reject: <reason>`");
  stage.advance(30 * 24 * 3_600_000);
  const waiting = await stage.triage(suggest, { ports: { triageAgent: forbiddenAgent } });
  expect(waiting.issues).toMatchObject([{ status: "skipped", reason: "proposal-waits" }]);
  expect(await stage.comments()).toHaveLength(1);
});

async function propose(stage: Stage): Promise<void> {
  await stage.triage({ "needs-info": "suggest" });
  stage.advance(60_000);
}

const answerNow = (stage: Stage) =>
  stage.triage({ "needs-info": "suggest" }, { ports: { triageAgent: forbiddenAgent } });

test("an accepted proposal is applied without a Triage Agent and without a second comment, and once only (E4)", async () => {
  await using stage = await openAutonomyStage();
  await propose(stage);
  await stage.github.comment(stage.ref, "maintainer", "/triage accept\nthank you");
  const { issues } = await answerNow(stage);
  expect(issues).toMatchObject([
    { status: "applied", reason: "proposal-accepted", policy: ["proposal-accepted"], workspace: null },
  ]);
  expect(await stage.labels()).toEqual(["bug", "needs-info"]);
  expect(await stage.comments()).toHaveLength(2);
  expect(stage.ledger.readable(null).facts).toMatchObject([
    { type: "decided", detail: { level: "suggest" } },
    {
      type: "answered",
      detail: {
        answer: "accept",
        by: { login: "maintainer", permission: "triage" },
        afterMs: expect.any(Number) as number,
      },
    },
  ]);
  // A person who changes the labels afterwards is not overruled by their own old answer.
  await stage.github.unlabel(stage.ref, "maintainer", "bug");
  await answerNow(stage);
  expect(await stage.labels()).toEqual(["needs-info"]);
});

test("undo of the batch that applied an accepted proposal counts against the proposal (E3, T10)", async () => {
  await using stage = await openAutonomyStage();
  await propose(stage);
  await stage.github.comment(stage.ref, "maintainer", "/triage accept");
  stage.advance(60_000);
  const { runId } = await answerNow(stage);
  const judgements = () =>
    judgedOutcomes(stage.ledger.readable(null).facts).map(({ judgement }) => judgement);
  expect(judgements()).toEqual(["accepted"]);
  const ports = { ...stage.ports, observe: () => undefined };
  const undone = await undoBatch({ runId, issues: null, dryRun: false }, ports, signal);
  expect(undone).toMatchObject([{ number: 1, status: "undone" }]);
  expect(judgements()).toEqual(["overridden"]);
  stage.advance(60_000);
  await answerNow(stage);
  expect(await stage.labels()).toEqual(["needs-triage"]);
});

test("an accepted proposal to close closes the issue with its reason (E4)", async () => {
  await using stage = await openAutonomyStage();
  const wontfix = { reason: "It is meant to be so.", outOfScope: null };
  const change: Partial<Outcome> = {
    outcome: "wontfix",
    confidence: "high",
    established: ["It is documented."],
    wontfix,
  };
  const declining = { ports: { triageAgent: proposingAgent(change) } };
  await stage.triage({ close: "suggest" }, declining);
  expect((await stage.comments())[0]?.body).toContain("**Proposed, not done:** close this as not planned.");
  stage.advance(60_000);
  await stage.github.comment(stage.ref, "maintainer", "/triage accept");
  await stage.triage({ close: "suggest" }, { ports: { triageAgent: forbiddenAgent } });
  const found = await stage.github.reader.issue(stage.ref, signal);
  expect(found).toMatchObject({ issue: { state: "closed", stateReason: "not_planned" } });
});

test.each([
  ["a stranger", "stranger", "read"],
  ["somebody who lost their access", "maintainer", "none"],
  ["somebody whose permission GitHub does not report", "maintainer", "unknown"],
  ["a bot that may write", "helper[bot]", "write"],
] as const)(
  "the answer of %s does not count as an answer to a proposal (E4)",
  async (_, login, permission) => {
    await using stage = await openAutonomyStage();
    stage.github.permit(login, permission);
    await propose(stage);
    await stage.github.comment(stage.ref, login, "/triage accept");
    const { issues } = await answerNow(stage);
    expect(issues).toMatchObject([{ status: "skipped", reason: "proposal-waits" }]);
    expect(await stage.labels()).toEqual(["needs-triage"]);
  },
);

async function crowd({ github, ref }: Stage): Promise<void> {
  for (let at = 0; at < 7; at += 1) await github.comment(ref, `stranger-${at}`, "/triage reject");
}

test("a crowd of strangers costs five requests beside the one about a member, whose answer before them it does not silence (E4)", async () => {
  await using stage = await openAutonomyStage();
  await propose(stage);
  await stage.github.comment(stage.ref, "maintainer", "/triage accept");
  await crowd(stage);
  const { issues } = await answerNow(stage);
  expect(issues).toMatchObject([{ status: "applied", reason: "proposal-accepted" }]);
  const asked = stage.github.calls.filter(({ operation }) => operation === "permission");
  expect(asked.map(({ argument }) => argument)).toHaveLength(6);
});

test("a warning names the proposal of which a crowd's answers were not all looked at (E4)", async () => {
  await using stage = await openAutonomyStage();
  await propose(stage);
  // GitHub does not show that somebody is a member of an organization in private.
  await stage.github.comment(stage.ref, "private-member", "/triage accept");
  stage.github.permit("private-member", "triage");
  await crowd(stage);
  const { issues } = await answerNow(stage);
  expect(issues).toMatchObject([{ status: "skipped", reason: "proposal-waits" }]);
  expect(stage.warnings()).toEqual([expect.stringContaining(`#${stage.ref.number}: more than 5 people`)]);
});

test("a rejected proposal changes nothing, and its reason is kept (E4)", async () => {
  await using stage = await openAutonomyStage();
  await propose(stage);
  await stage.github.comment(stage.ref, "maintainer", "/triage reject: we know what is wrong");
  const { issues } = await answerNow(stage);
  expect(issues).toMatchObject([{ status: "skipped", reason: "proposal-rejected" }]);
  expect(await stage.labels()).toEqual(["needs-triage"]);
  expect(stage.ledger.readable(null).facts.at(-1)).toMatchObject({
    type: "answered",
    detail: { answer: "reject", why: "we know what is wrong" },
  });
});

test("a reporter's reply to a proposal that nobody answered lets the issue be triaged again (E4)", async () => {
  await using stage = await openAutonomyStage();
  await propose(stage);
  await stage.github.comment(stage.ref, "reporter", "it is version 2");
  const { issues } = await stage.triage({ "needs-info": "suggest" });
  expect(issues).toMatchObject([{ status: "applied", reason: "needs-triage" }]);
});

/** Records outcomes of other issues that people accepted or overrode. */
function judged(stage: Stage, from: number, count: number, isAccepted: boolean): void {
  for (let number = from; number < from + count; number += 1) {
    const place = { repo: stage.github.repo, number, runId: "20260101T000000Z", atMs: number };
    const detail: Extract<TrustFact, { type: "decided" }>["detail"] = {
      kind: "needs-info",
      state: "needs-info",
      category: "bug",
      confidence: "high",
      close: null,
      level: "apply",
      policy: [],
      commentId: null,
      evidence: null,
      ms: 0,
      snapshotHash: "",
      model: "m",
      prompt: "p",
      usd: 0,
      tokens: 0,
    };
    const by = { id: 1, login: "maintainer", permission: "write" };
    const facts: TrustFact[] = [
      { type: "decided", key: `decided:${number}`, ...place, detail },
      isAccepted
        ? { type: "stood", key: `stood:${number}`, ...place, detail: { afterMs: 1 } }
        : {
            type: "overridden",
            key: `overridden:${number}`,
            ...place,
            detail: { how: "label-changed", to: null, by, source: "", afterMs: 1 },
          },
    ];
    for (const fact of facts) stage.ledger.record(fact);
  }
}

test("earned autonomy rises after enough accepted outcomes, falls at once after overrides, and each move is in the audit log (E4)", async () => {
  await using stage = await openAutonomyStage();
  const earned = { "needs-info": "earned" } as const;
  judged(stage, 1_000, 73, true);
  const rising = await stage.triage(earned);
  expect(await stage.labels()).toEqual(["bug", "needs-info"]);
  const entries = await readAuditLog(auditLogPath(stage.ports.runsDirectory, rising.runId));
  expect(entries[0]).toMatchObject({
    action: "autonomy",
    number: 1_072,
    fact: { type: "autonomy-moved", kind: "needs-info", from: "suggest", to: "apply", why: "proven" },
  });
  judged(stage, 2_000, 3, false);
  const other = await stage.github.createIssue({ title: "another", labels: ["needs-triage"] });
  await stage.triage(earned);
  const found = await stage.github.reader.issue(other, signal);
  expect(found).toMatchObject({ issue: { labels: ["needs-triage"] } });
  expect(stage.warnings().filter((line) => line.startsWith("autonomy of needs-info"))).toHaveLength(2);
});

test("undo of the batch in which autonomy rose vetoes the move (E4)", async () => {
  await using stage = await openAutonomyStage();
  const earned = { "needs-info": "earned" } as const;
  judged(stage, 1_000, 73, true);
  const { runId } = await stage.triage(earned);
  const ports = { ...stage.ports, observe: () => undefined };
  const undone = await undoBatch({ runId, issues: null, dryRun: false }, ports, signal);
  expect(undone).toMatchObject([{ number: 1, status: "undone" }]);
  expect(stage.ledger.readable(null).facts.slice(-2)).toMatchObject([
    { type: "overridden", number: 1, detail: { how: "undone" } },
    { type: "vetoed", number: null, detail: { kind: "needs-info" } },
  ]);
  judged(stage, 3_000, 200, true);
  await stage.triage(earned);
  expect(await stage.labels()).toEqual(["needs-triage"]);
});
