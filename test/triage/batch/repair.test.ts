import { expect, test } from "vitest";
import { type Issue, type IssueRef, renderTriageNotes } from "../../../src/github/index.ts";
import { type BatchPorts, type BatchWork, markerExtra, triageWork } from "../../../src/triage/index.ts";
import { type BatchStage, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent } from "../../support/batch/in-process-agent.ts";
import { worldPeople } from "../../support/github/github-world.ts";

const { maintainer } = worldPeople;
const isWrite = new Set<string>(["publishComment", "addLabels", "removeLabel", "closeIssue"]);

test("a publication cut off after its comment is finished without a Triage Agent, within 8 requests (T7, P13)", async () => {
  await using stage = await openBatchStage();
  const { github } = stage;
  const ref = await github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  github.intercept = ({ operation }, phase) => {
    if (operation === "addLabels" && phase === "before") throw new Error("cut off");
  };
  const first = await stage.run({ ports: { triageAgent: askingAgent() } });
  expect(first.issues).toMatchObject([{ status: "failed" }]);
  github.intercept = () => undefined;
  const before = github.calls.length;
  const second = await stage.run({ ports: { triageAgent: forbiddenAgent } });
  expect(second.issues).toMatchObject([
    { status: "applied", reason: "repair", outcome: "needs-info", policy: ["repaired"] },
  ]);
  const calls = github.calls.slice(before).filter((call) => call.ref?.number === ref.number);
  expect(calls.map(({ operation }) => operation)).toEqual([
    "comments",
    "labelEvents",
    "issue",
    "addLabels",
    "removeLabel",
    "issue",
  ]);
});

/** The comment of another parent that was cut off after it. */
async function leaveNotes({ github, ports }: BatchStage, ref: IssueRef): Promise<void> {
  const [secret] = ports.markers.keys;
  const notes = { issue: ref.number, outcome: "needs-info", run: "20260101T000000Z" } as const;
  const body = renderTriageNotes({ ...notes, repo: ref.repo, body: "Which version?", secret });
  await github.comment(ref, github.viewerLogin, body);
}

const happenings = {
  "a maintainer has taken over": async ({ github }: BatchStage, ref: IssueRef) => {
    await github.label(ref, maintainer, "ready-for-human");
    await github.unlabel(ref, maintainer, "needs-triage");
  },
  "a maintainer has closed": ({ github }: BatchStage, ref: IssueRef) =>
    github.setState(ref, maintainer, "closed"),
};

for (const [what, happening] of Object.entries(happenings)) {
  test.each(["at selection", "once the lock is held"])(
    `a repair that is due %s writes nothing to an issue that ${what} before its turn (policy 8, S13, T4)`,
    async (when) => {
      await using stage = await openBatchStage();
      const { github, provider } = stage;
      const ref = await github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
      if (when === "at selection") await leaveNotes(stage, ref);
      let written = 0;
      const ports: Partial<BatchPorts> = {
        triageAgent: forbiddenAgent,
        provider: {
          ...provider,
          create: async (...asked) => {
            await leaveNotes(stage, ref);
            return provider.create(...asked);
          },
        },
        publishing: async (_, publication) => {
          stage.advance(60_000);
          await happening(stage, ref);
          written = github.calls.length;
          return publication();
        },
      };
      const { issues } = await stage.run({ ports });
      expect(issues).toMatchObject([{ status: "skipped", reason: "no-longer-eligible" }]);
      expect(github.calls.slice(written).filter(({ operation }) => isWrite.has(operation))).toEqual([]);
    },
  );
}

/** An issue that repeats issue 1, which a maintainer closes before the other is closed as its duplicate. */
async function openRepeated(label: string) {
  const stage = await openBatchStage();
  const { github } = stage;
  const canonical = await github.createIssue({ title: "it breaks" });
  const ref = await github.createIssue({ title: "it breaks, too", labels: ["bug", label] });
  const target = {
    state: "wontfix",
    category: "bug",
    close: "duplicate",
    labels: "set",
    canonical: canonical.number,
  } as const;
  const body = (extra: Record<string, string>): string =>
    renderTriageNotes({
      repo: ref.repo,
      issue: ref.number,
      outcome: "wontfix",
      run: "20260101T000000Z",
      extra,
      body: "It repeats #1.",
      secret: stage.ports.markers.keys[0],
    });
  await github.setState(canonical, maintainer, "closed");
  const closes = () => github.calls.filter(({ operation }) => operation === "closeIssue");
  return Object.assign(stage, { canonical, ref, target, body, closes });
}

test("a close as a duplicate that was cut off is not finished once the other issue is closed itself (D6, policy 7)", async () => {
  await using stage = await openRepeated("wontfix");
  const { github, ref, target } = stage;
  const signal = new AbortController().signal;
  const [issue] = await github.reader.listOpenIssues(github.repo, "wontfix", signal);
  await github.comment(ref, github.viewerLogin, stage.body(markerExtra(target, issue as Issue)));
  const repaired = async () => (await stage.run({ ports: { triageAgent: forbiddenAgent } })).issues;
  expect(await repaired()).toMatchObject([{ status: "requeued", reason: "canonical-closed" }]);
  await github.setState(stage.canonical, maintainer, "open");
  expect(await repaired()).toMatchObject([{ status: "applied", reason: "repair" }]);
  expect(stage.closes()).toHaveLength(1);
});

test("an issue is not closed as a duplicate of one that was closed since the proof (D6)", async () => {
  await using stage = await openRepeated("needs-triage");
  const { ref, target, body } = stage;
  const early: BatchWork["early"] = () =>
    Promise.resolve({ kind: "triage", target, policy: ["proven-duplicate"], render: () => body({}) });
  const { issues } = await stage.run({ work: { ...triageWork, early } });
  expect(issues).toMatchObject([{ status: "requeued", reason: "canonical-closed" }]);
  expect(stage.closes()).toEqual([]);
  expect(await stage.github.reader.comments(ref, new AbortController().signal)).toEqual([]);
});
