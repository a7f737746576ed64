import { expect, test } from "vitest";
import {
  type ActivityFacts,
  deriveDisplayStatus,
  type DisplayStatus,
  type PullRequestFacts,
  selectDisplayPullRequest,
  selectedTriageRun,
} from "../../src/runs/index.ts";

const SPAWNED_AT_MS = 1_000_000;
const base = selectedTriageRun({ runId: "20260101T000000Z", repo: "o/r", number: 1, atMs: SPAWNED_AT_MS });
const signalled: ActivityFacts = {
  ...base.activity,
  spawnedAtMs: SPAWNED_AT_MS,
  firstSignalAtMs: SPAWNED_AT_MS,
  isSignalCapable: true,
};
const silent: ActivityFacts = { ...signalled, firstSignalAtMs: null };

function pullRequest(changes: Partial<PullRequestFacts> = {}): PullRequestFacts {
  return {
    number: 7,
    url: "https://github.test/o/r/pull/7",
    state: "open",
    isDraft: false,
    checks: "none",
    review: "none",
    hasUnresolvedHumanComments: false,
    mergeability: "unknown",
    headSha: null,
    checksSignature: null,
    feedbackSignature: null,
    updatedAtMs: 0,
    ...changes,
  };
}

function status(
  activity: Partial<ActivityFacts>,
  pullRequests: readonly PullRequestFacts[],
  silentForMs = 0,
): DisplayStatus {
  const facts = { activity: { ...signalled, ...activity } };
  return deriveDisplayStatus(facts, pullRequests, SPAWNED_AT_MS + silentForMs);
}

test("a terminated run is terminated, unless its pull request was merged (O5)", () => {
  expect(status({ isTerminated: true, state: "exited" }, [])).toBe("terminated");
  expect(status({ isTerminated: true, state: "waiting_input" }, [pullRequest({ checks: "failing" })])).toBe(
    "terminated",
  );
  expect(status({ isTerminated: true, state: "idle" }, [pullRequest({ state: "merged" })])).toBe("merged");
  expect(status({ ...silent, isTerminated: true }, [], 180_000)).toBe("terminated");
});

test("waiting for input takes precedence over every pull request (O6)", () => {
  expect(status({ state: "waiting_input" }, [pullRequest({ checks: "failing" })])).toBe("needs_input");
  expect(status({ state: "waiting_input" }, [pullRequest({ state: "merged" })])).toBe("needs_input");
});

test("an open pull request takes precedence over activity, with its worst condition first (O7)", () => {
  const approved = pullRequest({ review: "approved" });
  const asked = { ...approved, review: "changes_requested" as const };
  expect(status({}, [{ ...asked, isDraft: true, checks: "failing" }])).toBe("ci_failed");
  expect(status({}, [{ ...asked, isDraft: true }])).toBe("draft");
  expect(status({}, [{ ...asked, mergeability: "mergeable" }])).toBe("changes_requested");
  expect(status({}, [{ ...approved, hasUnresolvedHumanComments: true }])).toBe("changes_requested");
  expect(status({}, [{ ...approved, mergeability: "mergeable" }])).toBe("mergeable");
  expect(status({}, [approved])).toBe("approved");
  expect(status({}, [pullRequest({ review: "review_required" })])).toBe("review_pending");
  expect(status({}, [pullRequest()])).toBe("pr_open");
  expect(status({ state: "active" }, [pullRequest({ checks: "failing" })])).toBe("ci_failed");
  expect(status({ state: "active" }, [pullRequest()])).toBe("pr_open");
  expect(status(silent, [pullRequest()], 180_000)).toBe("pr_open");
});

test("activity shows as working, even with a closed pull request (O8)", () => {
  expect(status({ state: "active" }, [])).toBe("working");
  expect(status({ state: "active" }, [pullRequest({ state: "closed" })])).toBe("working");
  expect(status({ state: "idle" }, [pullRequest({ state: "merged" })])).toBe("merged");
});

test("a missing first signal is shown only after the spawn grace, and only for a Triage Agent that can signal (O9)", () => {
  expect(status(silent, [], 10_000)).toBe("idle");
  expect(status(silent, [], 90_000)).toBe("idle");
  expect(status(silent, [], 90_001)).toBe("no_signal");
  expect(status({ ...silent, isSignalCapable: false }, [], 180_000)).toBe("idle");
  expect(status({ ...silent, spawnedAtMs: null }, [], 180_000)).toBe("idle");
  expect(status(signalled, [], 180_000)).toBe("idle");
});

test("every other run is idle (O10)", () => {
  expect(status({}, [])).toBe("idle");
  expect(status({}, [pullRequest({ state: "closed" })])).toBe("idle");
});

test("the displayed pull request is an open one if there is one, then the most recently updated one (O4)", () => {
  const merged = pullRequest({ number: 1, state: "merged", updatedAtMs: 30 });
  const older = pullRequest({ number: 2, updatedAtMs: 10 });
  const newer = pullRequest({ number: 3, updatedAtMs: 20 });
  expect(selectDisplayPullRequest([])).toBeNull();
  expect(selectDisplayPullRequest([merged, older, newer])).toBe(newer);
  expect(selectDisplayPullRequest([{ ...older, state: "closed" }, merged])).toBe(merged);
});

test("stored facts contain no Display Status (O3)", () => {
  expect(JSON.stringify(base)).not.toMatch(/display|status/i);
});
