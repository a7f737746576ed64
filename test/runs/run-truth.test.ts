import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  connectToParent,
  controlDirectory,
  deriveDisplayStatus,
  type ParentConnection,
  type PullRequestFacts,
  type RunOwner,
  type RunService,
  type RunUpdate,
  type RunView,
  serveControl,
} from "../../src/runs/index.ts";
import { poll } from "../support/batch/poll.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { brief, fakeObserver, ownerFixture, RUN_ID } from "./owner-fixture.ts";

const never = new AbortController().signal;

const pull: PullRequestFacts = {
  number: 9,
  url: "u",
  state: "open",
  isDraft: false,
  checks: "failing",
  review: "none",
  hasUnresolvedHumanComments: false,
  mergeability: "mergeable",
  headSha: "c1",
  checksSignature: "A",
  feedbackSignature: null,
  updatedAtMs: 0,
};

test("an observation is stored as a fact first, and the status and the action derive from it (O1)", async () => {
  const { owner, runner, saved } = ownerFixture();
  using _runner = owner.attachRunner(runner);
  owner.admit();
  const order: unknown[] = [];
  const stored = () => {
    const facts = saved.at(-1);
    return facts === undefined
      ? null
      : { state: facts.pullRequests[0]?.state, status: deriveDisplayStatus(facts, facts.pullRequests, 0) };
  };
  runner.gate.send = async () => {
    order.push({ nudged: stored() });
    return { type: "sent" };
  };
  owner.stopSignal.addEventListener("abort", () => order.push({ stopped: stored() }));
  await owner.observePullRequests({ type: "observed", pullRequests: [pull] }, never);
  await owner.observePullRequests({ type: "observed", pullRequests: [{ ...pull, state: "merged" }] }, never);
  expect(order).toEqual([
    { nudged: { state: "open", status: "ci_failed" } },
    { stopped: { state: "merged", status: "merged" } },
  ]);
  // Only facts were stored, no status.
  expect(JSON.stringify(saved)).not.toMatch(/ci_failed|displayStatus/);
});

test("an observation that times out ends only for its observer, and completion is reported later (C1, C15)", async () => {
  const { owner, runner, clock } = ownerFixture();
  using _runner = owner.attachRunner(runner);
  owner.admit();
  const watching = fakeObserver();
  owner.observe(watching, { type: "poll", intervalMs: 1_000, expiresMs: 3_000 });
  runner.text = "something";
  await clock.advance(6 * 3_600_000);
  expect(watching.seen.some(({ type }) => type === "settled" || type === "ended")).toBe(false);
  expect(owner.facts).toMatchObject({
    runState: { state: "detached" },
    activity: { isTerminated: false },
    progress: { phase: "selected" },
  });
  owner.settle("turn-outcome");
  await clock.advance(1_000);
  expect(watching.seen.map(brief).at(-1)).toBe("settled turn-outcome");
});

/** A process that follows the run through a facade; `latest` returns the last update that it received. */
interface Follower extends AsyncDisposable {
  latest(): RunView | null;
}

async function follow(home: string): Promise<Follower> {
  const lookup = await connectToParent({ home, runId: RUN_ID }, systemClock);
  if (lookup.type === "gone") throw new Error(lookup.seen);
  const { parent }: { parent: ParentConnection } = lookup;
  let latest: RunView | null = null;
  const take = ({ view }: RunUpdate): void => void (latest = view);
  const observation = { method: "observe", repo: "o/r", number: 7, mode: { type: "live" } } as const;
  void parent.observe(observation, take, never).catch(() => undefined);
  await poll("the first update", () => latest !== null);
  return { latest: () => latest, [Symbol.asyncDispose]: () => parent[Symbol.asyncDispose]() };
}

const facade = (home: string, service: RunService): Promise<AsyncDisposable> =>
  serveControl(controlDirectory(home, RUN_ID), {
    service,
    runId: RUN_ID,
    parent: "host/1/1",
    clock: systemClock,
  });

const STEPS: readonly ((owner: RunOwner) => void)[] = [
  (owner) => void owner.admit(),
  (owner) => owner.lifecycle.signal({ type: "valid", activity: "active" }),
  (owner) => owner.reportFinal(),
  (owner) => owner.settle("turn-outcome"),
];

test("a facade holds no state: every facade shows the owner's state, whenever it was created (C2)", async () => {
  await using directory = await temporaryDirectory();
  const [first, second] = [`${directory.path}/first`, `${directory.path}/second`];
  const { service, owner } = ownerFixture();
  const told: unknown[] = [];
  for (const step of STEPS) {
    await using _facades = await both(first, second, service);
    await using one = await follow(first);
    await using other = await follow(second);
    expect([one.latest(), other.latest()]).toEqual([owner.view, owner.view]);
    step(owner);
    await poll("the change", () => [one, other].every((each) => sameView(each.latest(), owner.view)));
    told.push(one.latest()?.surface);
  }
  expect(told).toEqual(["working", "working", "reply sent, backend still active", "no active prompt"]);
  expect(owner.facts).toMatchObject({ runState: { state: "idle" }, activity: { state: "active" } });
  expect(service.find("o/r#7")).toBe(owner);
});

async function both(first: string, second: string, service: RunService): Promise<AsyncDisposable> {
  const facades = [await facade(first, service), await facade(second, service)];
  return {
    [Symbol.asyncDispose]: async () => {
      for (const each of facades) await each[Symbol.asyncDispose]();
    },
  };
}

function sameView(one: RunView | null, other: RunView): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
