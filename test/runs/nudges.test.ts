import { expect, test } from "vitest";
import {
  type NudgeRecord,
  nudgeText,
  planNudges,
  type PullRequestFacts,
  type PullRequestObservation,
} from "../../src/runs/index.ts";
import { ownerFixture, runFacts } from "./owner-fixture.ts";

const quiet: PullRequestFacts = {
  number: 9,
  url: "u",
  state: "open",
  isDraft: false,
  checks: "passing",
  review: "none",
  hasUnresolvedHumanComments: false,
  mergeability: "mergeable",
  headSha: "c1",
  checksSignature: null,
  feedbackSignature: null,
  updatedAtMs: 0,
};
const failing = (checksSignature: string | null): PullRequestFacts => ({
  ...quiet,
  checks: "failing",
  checksSignature,
});
const seen = (...pullRequests: PullRequestFacts[]): PullRequestObservation => ({
  type: "observed",
  pullRequests,
});

function planned(change: Partial<PullRequestFacts>, nudges: readonly NudgeRecord[] = []): string[] {
  const activity = { isTerminated: false };
  return planNudges({ activity, pullRequests: [{ ...quiet, ...change }], nudges }).map(
    ({ kind, signature }) => `${kind} ${signature}`,
  );
}

test("failing checks, review feedback and a merge conflict of an open pull request are nudges (O15)", () => {
  expect(planned({})).toEqual([]);
  expect(planned({ checks: "pending", review: "approved" })).toEqual([]);
  expect(planned({ checks: "failing", checksSignature: "A" })).toEqual(["checks-failing A"]);
  expect(planned({ checks: "failing" })).toEqual(["checks-failing c1"]);
  expect(planned({ review: "changes_requested", feedbackSignature: "F" })).toEqual(["review-feedback F"]);
  expect(planned({ hasUnresolvedHumanComments: true })).toEqual(["review-feedback c1"]);
  expect(planned({ mergeability: "conflicting" })).toEqual(["merge-conflict c1"]);
  for (const state of ["merged", "closed"] as const)
    expect(planned({ state, checks: "failing", mergeability: "conflicting" })).toEqual([]);
});

test("a nudge is planned once for each occurrence (O15)", () => {
  const sent: NudgeRecord[] = [{ kind: "checks-failing", number: 9, signature: "A", refusal: null, atMs: 1 }];
  expect(planned({ checks: "failing", checksSignature: "A" }, sent)).toEqual([]);
  expect(planned({ checks: "failing", checksSignature: "B" }, sent)).toEqual(["checks-failing B"]);
  expect(planned({ number: 10, checks: "failing", checksSignature: "A" }, sent)).toEqual([
    "checks-failing A",
  ]);
});

test("the same failure is sent once, even across a restart of the parent; a new failure is sent again (O15)", async () => {
  const { owner, runner, saved } = ownerFixture();
  const { signal } = new AbortController();
  await owner.lifecycle.observePullRequests(seen(failing("A")), runner.gate, signal);
  await owner.lifecycle.observePullRequests(seen(failing("A")), runner.gate, signal);
  expect(runner.sent).toEqual([nudgeText({ kind: "checks-failing", number: 9, signature: "A" })]);
  const stored = saved.at(-1) ?? runFacts();
  const restarted = ownerFixture();
  const { owner: later } = restarted.service.rehydrate({ ...stored, number: 8 }, restarted.runner);
  await later.lifecycle.observePullRequests(seen(failing("A")), restarted.runner.gate, signal);
  expect(restarted.runner.sent).toEqual([]);
  await later.lifecycle.observePullRequests(seen(failing("B")), restarted.runner.gate, signal);
  expect(restarted.runner.sent).toHaveLength(1);
});

test("a nudge that the gate refuses does not count as sent (O15, H39)", async () => {
  const { owner, runner } = ownerFixture();
  const { signal } = new AbortController();
  runner.answer = { type: "refused", reason: "not-ready", remedy: "wait" };
  expect(await owner.lifecycle.observePullRequests(seen(failing("A")), runner.gate, signal)).toEqual([]);
  runner.answer = { type: "sent" };
  expect(await owner.lifecycle.observePullRequests(seen(failing("A")), runner.gate, signal)).toHaveLength(1);
});

test("a nudge that cannot be delivered is recorded once with the gate's reason until it is sent (O15)", async () => {
  const { owner, runner, saved, clock } = ownerFixture();
  const { signal } = new AbortController();
  const told = (): unknown => owner.facts.nudges.map(({ kind, refusal, atMs }) => [kind, refusal, atMs]);
  runner.answer = { type: "refused", reason: "takes-no-input", remedy: "wait" };
  const conflict = { ...failing("A"), mergeability: "conflicting" as const };
  await owner.lifecycle.observePullRequests(seen(conflict), runner.gate, signal);
  expect(told()).toEqual([
    ["checks-failing", "takes-no-input", 0],
    ["merge-conflict", "takes-no-input", 0],
  ]);
  const writes = saved.length;
  await clock.advance(60_000);
  await owner.lifecycle.observePullRequests(seen(conflict), runner.gate, signal);
  expect(saved).toHaveLength(writes);
  runner.answer = { type: "sent" };
  await owner.lifecycle.observePullRequests(seen(failing("A")), runner.gate, signal);
  expect(told()).toEqual([
    ["merge-conflict", "takes-no-input", 0],
    ["checks-failing", null, 60_000],
  ]);
});

test("facts of a pull request that could not be read stay unchanged (O13)", async () => {
  const { owner, runner } = ownerFixture();
  const { signal } = new AbortController();
  const other = { ...quiet, number: 10 };
  await owner.lifecycle.observePullRequests(seen(failing("A"), other), runner.gate, signal);
  const partly = { type: "partly-observed", pullRequests: [], unread: [9, 11] } as const;
  await owner.lifecycle.observePullRequests(partly, runner.gate, signal);
  expect(owner.facts.pullRequests).toEqual([failing("A")]);
  expect(runner.sent).toHaveLength(1);
});

test("a merged pull request terminates the run without a nudge, and a failed query is ignored (O16, O13)", async () => {
  const { owner, runner, saved } = ownerFixture();
  const { signal } = new AbortController();
  await owner.lifecycle.observePullRequests({ type: "failed" }, runner.gate, signal);
  expect(saved).toEqual([]);
  const merged = { ...failing("A"), state: "merged" as const };
  await owner.lifecycle.observePullRequests(
    seen(merged, { ...failing("B"), number: 10 }),
    runner.gate,
    signal,
  );
  expect(owner.facts.activity.isTerminated).toBe(true);
  expect(runner.sent).toEqual([]);
});

test("a merge observed by the run's owner ends the run (O16)", async () => {
  const { owner, runner } = ownerFixture();
  using _runner = owner.attachRunner(runner);
  owner.admit();
  const { signal } = new AbortController();
  await owner.observePullRequests(seen(failing("A")), signal);
  expect([runner.sent.length, owner.stopSignal.aborted]).toEqual([1, false]);
  await owner.observePullRequests(seen({ ...quiet, state: "merged" }), signal);
  expect(owner.stopSignal.reason).toEqual(new Error("pull-request-merged"));
  expect(owner.facts).toMatchObject({ runState: { state: "idle" }, activity: { isTerminated: true } });
});
