import { createVirtualClock, type VirtualClock } from "agent-tty/testing";
import { describe, expect, test } from "vitest";
import { findTriageNotes, type Issue, type IssueComment, type IssueRef } from "../../src/github/index.ts";
import {
  applyPublication,
  type PublicationPorts,
  decideConflictingLabels,
  type Decision,
  decideEligibility,
  defaultLabelNames,
  type PublicationResult,
  type PublicationStep,
  planPublication,
  planRepair,
  renderComment,
  selectCandidates,
  noInsight,
} from "../../src/triage/index.ts";
import { createFakeGithub, type FakeGithub } from "../support/github/fake-github.ts";
import {
  decideAlone,
  decideWithout,
  issueWith,
  notesAt,
  outcomeWith,
  ref,
  reproduction,
  runWith,
} from "./facts.ts";

const never = new AbortController().signal;
const names = defaultLabelNames;

const runs = [runWith(), runWith(), runWith()];
const ready = decideAlone({
  issue: issueWith(),
  outcome: outcomeWith(),
  verification: { type: "reproduced", runs, reproduction, insight: noInsight },
});
const unverified = { issue: issueWith(), verification: { type: "not-attempted" } } as const;
const declined = { outcome: "wontfix", wontfix: { reason: "documented", outOfScope: null } } as const;
const closing = decideAlone({ ...unverified, outcome: outcomeWith(declined) });
const asked = outcomeWith({ outcome: "needs-info", questions: ["Which version?"] });
const asking = decideAlone({ ...unverified, outcome: asked });
const noted = decideWithout("it wrote nothing");

describe("the plan adds and removes role labels one by one, and changes nothing else (T6)", () => {
  function check(labelsNow: string[], decision: Decision, state: Issue["state"], expected: string[]): void {
    const comment = { type: "published", id: 1 } as const;
    const plan = planPublication({ ref, labelsNow, state, decision, comment, labelNames: names });
    expect(plan.steps.map(inWords)).toEqual(expected);
  }

  test.each<[string[], Decision, Issue["state"], string[]]>([
    [["needs-triage"], ready, "open", ["add ready-for-agent", "add bug", "remove needs-triage"]],
    [["bug", "ready-for-agent", "p1"], ready, "open", []],
    [["Bug", "Ready-For-Agent"], ready, "open", []],
    [["Needs-Triage", "p1"], ready, "open", ["add ready-for-agent", "add bug", "remove Needs-Triage"]],
    [
      ["enhancement", "needs-info", "wontfix"],
      ready,
      "open",
      ["add ready-for-agent", "add bug", "remove enhancement", "remove wontfix", "remove needs-info"],
    ],
    [
      ["needs-triage"],
      closing,
      "open",
      ["add wontfix", "add bug", "remove needs-triage", "close not_planned"],
    ],
    [["needs-triage"], closing, "closed", ["add wontfix", "add bug", "remove needs-triage"]],
    [["needs-triage", "enhancement"], noted, "open", []],
    [["needs-info", "needs-triage"], noted, "open", ["remove needs-info"]],
    [
      ["bug", "enhancement", "needs-triage"],
      decideConflictingLabels({ categories: [], states: [] }),
      "open",
      [],
    ],
  ])("on %j", (labels, decision, state, expected) => check(labels, decision, state, expected));

  test("the label of an unwanted role is not removed when the wanted role has the same label", () => {
    const shared = { ...names, "ready-for-human": "ready", "ready-for-agent": "ready" };
    const comment = { type: "to-publish", body: "words" } as const;
    const plan = planPublication({
      ref,
      labelsNow: ["ready", "bug"],
      state: "open",
      decision: ready,
      comment,
      labelNames: shared,
    });
    expect(plan.steps.map(inWords)).toEqual(["comment"]);
  });

  test("a repair writes no comment, and a reopened issue stays open (policy 7)", () => {
    const notes = notesAt("14:15", "wontfix", { category: "bug", close: "completed" });
    const steps = (change: Partial<Issue>): string[] =>
      planRepair(notes, issueWith(change), names).steps.map(inWords);
    expect(steps({})).toEqual(["add wontfix", "add bug", "remove needs-triage", "close completed"]);
    expect(steps({ labels: ["wontfix", "bug"], stateReason: "reopened" })).toEqual([]);
  });
});

describe("the applied state is read back (policy 5)", () => {
  test("the issue has the planned roles, and its other labels are unchanged", async () => {
    const world = await openIssue(["needs-triage", "enhancement", "p1"]);
    const steps: string[] = [];
    const result = await publish(world, ready, (step) => void steps.push(inWords(step)));
    expect(result).toMatchObject({
      type: "applied",
      comment: { body: expect.stringContaining("outcome=ready-for-agent") },
    });
    expect((await issueNow(world)).labels.toSorted()).toEqual(["bug", "p1", "ready-for-agent"]);
    expect(steps).toEqual([
      "comment",
      "add ready-for-agent",
      "add bug",
      "remove enhancement",
      "remove needs-triage",
    ]);
  });

  test("a label that GitHub dropped is reported as a mismatch with the seen labels", async () => {
    const world = await openIssue(["needs-triage"]);
    world.github.intercept = async ({ operation, argument }, phase) => {
      if (operation === "addLabels" && argument?.endsWith(",bug") === true && phase === "after") {
        await world.github.unlabel(world.ref, "maintainer", "bug");
      }
    };
    expect(await publish(world, ready)).toMatchObject({
      type: "mismatch",
      expected: { categories: ["bug"], states: ["ready-for-agent"], state: "open" },
      seen: { categories: [], states: ["ready-for-agent"], state: "open" },
    });
  });

  test("a label that GitHub shows after a delay counts as applied, and a label that it never shows is a mismatch after three reads (T6)", async () => {
    for (const lateLooks of [2, 3]) {
      const world = await openIssue(["needs-triage"]);
      const before = { type: "found", issue: await issueNow(world) } as const;
      let looks = 0;
      const issue: PublicationPorts["reader"]["issue"] = (...look) =>
        (looks += 1) > lateLooks ? world.github.reader.issue(...look) : Promise.resolve(before);
      const result = await publish(world, ready, undefined, never, { reader: { issue }, pause: record });
      expect([result.type, looks]).toEqual([lateLooks === 2 ? "applied" : "mismatch", 3]);
    }
  });

  test("publishing does not require unknown categories or labels that it leaves unchanged", async () => {
    for (const decision of [
      noted,
      decideConflictingLabels({ categories: ["bug", "enhancement"], states: [] }),
    ]) {
      const world = await openIssue(["needs-triage", "bug", "enhancement"]);
      expect(await publish(world, decision)).toMatchObject({ type: "applied" });
    }
  });

  test("a second state role is a mismatch", async () => {
    const world = await openIssue(["needs-triage"]);
    world.github.intercept = async ({ operation }, phase) => {
      if (operation === "removeLabel" && phase === "after")
        await world.github.label(world.ref, "maintainer", "needs-info");
    };
    expect(await publish(world, ready)).toMatchObject({ type: "mismatch" });
  });

  test("an issue that disappeared during the writes is reported as gone (S13)", async () => {
    const world = await openIssue(["needs-triage"]);
    world.github.intercept = ({ operation }, phase) => {
      if (operation === "removeLabel" && phase === "after") world.github.remove(world.ref, "transferred");
    };
    expect(await publish(world, ready)).toMatchObject({ type: "gone", reason: "transferred" });
  });

  test("an abort stops before the next step", async () => {
    const world = await openIssue(["needs-triage"]);
    const stop = new AbortController();
    const publishing = publish(world, ready, () => stop.abort(new Error("stopped")), stop.signal);
    await expect(publishing).rejects.toThrow("stopped");
    expect((await issueNow(world)).labels).toEqual(["needs-triage"]);
  });
});

describe("any number of kills and restarts leads to the same state as one run without a kill (T7)", () => {
  const arrivals = [["needs-triage"], ["needs-triage", "enhancement", "p1"], ["needs-info", "bug"]];
  const decisions = { ready, closing, asking, noted };

  for (const [name, decision] of Object.entries(decisions)) {
    for (const labels of arrivals) {
      test(`${name} on ${labels.join(", ")}`, async () => {
        const whole = await openIssue(labels);
        await publish(whole, decision);
        const expected = { ...(await endState(whole)), comments: 1 };
        const writes = whole.github.calls.filter(isWrite).length;

        for (let kill = 1; kill <= writes; kill += 1) {
          for (const phase of ["before", "after"] as const) {
            const world = await openIssue(labels);
            killAtWrite(world, kill, phase);
            await expect(publish(world, decision)).rejects.toThrow("killed");
            // The next batches are also killed at their first write; the last one is not killed.
            for (let restart = 0; restart < writes; restart += 1) {
              killAtWrite(world, 1, "after");
              await nextBatch(world, decision).catch(() => undefined);
            }
            killAtWrite(world, Number.POSITIVE_INFINITY, "after");
            await nextBatch(world, decision);
            expect(await endState(world)).toEqual(expected);
          }
        }
      });
    }
  }
});

interface World {
  clock: VirtualClock;
  github: FakeGithub;
  ref: IssueRef;
}

async function openIssue(labels: string[]): Promise<World> {
  const clock = createVirtualClock();
  const github = createFakeGithub({ clock });
  // Every call takes a second, so that events after the comment also have later times.
  github.intercept = (_, phase) => (phase === "before" ? clock.advance(1_000) : undefined);
  return {
    clock,
    github,
    ref: await github.createIssue({ title: "It crashes", body: "It throws.", labels }),
  };
}

async function issueNow(world: World): Promise<Issue> {
  const lookup = await world.github.reader.issue(world.ref, never);
  if (lookup.type === "gone") throw new Error("gone");
  return lookup.issue;
}

/** Ignores the records: the audit log has its own test. */
const record = (): Promise<void> => Promise.resolve();

async function publish(
  world: World,
  decision: Decision,
  onStep: (step: PublicationStep) => void = () => undefined,
  signal = never,
  ports: Partial<PublicationPorts> = {},
): Promise<PublicationResult> {
  const issue = await issueNow(world);
  const body = renderComment(decision, {
    issue,
    runId: "20260430T141500Z",
    markerKey: null,
    recording: null,
  });
  const comment = { type: "to-publish", body } as const;
  const { labels: labelsNow, state } = issue;
  const plan = planPublication({ ref: world.ref, labelsNow, state, decision, comment, labelNames: names });
  return applyPublication(plan, { ...world.github, record, ...ports }, signal, onStep);
}

/** Does the next batch's work on the issue, with a Triage Agent that decides the same again. */
async function nextBatch(world: World, decision: Decision): Promise<void> {
  const { reader } = world.github;
  const list = (label: string): Promise<Issue[]> => reader.listOpenIssues(world.ref.repo, label, never);
  const lists = {
    needsTriage: await list("needs-triage"),
    needsInfo: await list("needs-info"),
    wontfix: await list("wontfix"),
  };
  for (const issue of selectCandidates(lists, names)) {
    const comments: IssueComment[] = await reader.comments(world.ref, never);
    const viewer = await reader.viewer(never);
    const trust = { viewerId: viewer.id, trustedAuthors: [], keys: [] };
    const verdict = decideEligibility({
      issue,
      comments,
      labelEvents: await reader.labelEvents(world.ref, never),
      areNotesTrusted: true,
      notes: findTriageNotes({ comments, ref: world.ref, trust }).notes,
      viewerId: viewer.id,
      settings: { labels: names, activity: "reporter", cooldownMs: 86_400_000, includeNeedsInfo: true },
      nowMs: world.clock.nowMs(),
    });
    if (verdict.type === "eligible") await publish(world, decision);
    if (verdict.type === "repair") {
      await applyPublication(
        planRepair(verdict.notes, issue, names),
        { ...world.github, record },
        never,
        () => undefined,
      );
    }
  }
}

function killAtWrite(world: World, nth: number, phase: "before" | "after"): void {
  let writes = 0;
  world.github.intercept = async (call, now) => {
    if (now === "before") await world.clock.advance(1_000);
    if (!isWrite(call)) return;
    if (now === "before") writes += 1;
    if (writes === nth && now === phase) throw new Error("killed");
  };
}

function isWrite({ operation }: FakeGithub["calls"][number]): boolean {
  return ["publishComment", "addLabels", "removeLabel", "closeIssue"].includes(operation);
}

async function endState(world: World): Promise<{ labels: string[]; state: string; comments: number }> {
  const { labels, state, commentCount } = await issueNow(world);
  return { labels: labels.toSorted(), state, comments: commentCount };
}

function inWords(step: PublicationStep): string {
  switch (step.type) {
    case "publish-comment":
      return "comment";
    case "add-label":
      return `add ${step.label}`;
    case "remove-label":
      return `remove ${step.label}`;
    case "close":
      return `close ${step.reason}`;
  }
}
