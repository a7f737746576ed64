import { array, assert, asyncProperty, constantFrom } from "fast-check";
import { expect, test } from "vitest";
import {
  deriveSurface,
  type MonitorFact,
  type RunState,
  type RunOwner,
  transition,
} from "../../src/runs/index.ts";
import {
  brief,
  fakeObserver,
  fakeRunner,
  type OwnerFixture,
  ownerFixture,
  runFacts,
} from "./owner-fixture.ts";
import { propertyRuns } from "../support/property-runs.ts";

const delta: MonitorFact = { type: "running-delta", text: "x", atMs: 1 };
const windowEnded: MonitorFact = { type: "max-runtime-reached", atMs: 2 };
const noOutput: MonitorFact = { type: "no-visible-output", atMs: 3 };

type Step = (fixture: OwnerFixture) => unknown;

const admit: Step = ({ owner }) => owner.admit();
const take =
  (fact: MonitorFact): Step =>
  ({ owner }) =>
    owner.take(fact);
const settle: Step = ({ owner }) => owner.settle("turn-outcome");

/** Checks the Run State after each step, and the surface at the end. */
async function check(steps: readonly Step[], states: readonly RunState[], surface?: string): Promise<void> {
  const fixture = ownerFixture();
  using _runner = fixture.owner.attachRunner(fixture.runner);
  const seen: RunState[] = [];
  for (const step of steps) {
    await step(fixture);
    seen.push(fixture.owner.facts.runState.state);
  }
  expect(seen).toEqual(states);
  if (surface !== undefined) expect(deriveSurface(fixture.owner.facts)).toBe(surface);
}

test("a prompt is admitted, runs, reports deltas, settles by true completion and becomes idle (C10)", async () => {
  await check([admit, take(delta), settle], ["running", "running", "idle"], "no active prompt");
});

test("a prompt past the observation window is detached and still settles (C11)", async () => {
  await check(
    [admit, take(windowEnded), take(windowEnded), take(delta), settle],
    ["running", "detached", "detached", "detached", "idle"],
  );
});

test("a second prompt is rejected with active-run guidance while running or detached (C12)", async () => {
  const { owner, clock } = ownerFixture();
  await clock.advance(1_000);
  expect(owner.admit()).toEqual({ type: "admitted" });
  const before = owner.facts;
  expect(owner.admit()).toEqual({
    type: "rejected",
    guidance: {
      runState: "running",
      startedAtMs: 1_000,
      message:
        "o/r#7 has an active prompt (running since 1970-01-01T00:00:01.000Z); a second prompt is not admitted",
      remedy: "Follow it with `afk-triage attach 7`, or end it with `afk-triage stop 7`.",
    },
  });
  await owner.take(windowEnded);
  expect(owner.admit()).toMatchObject({ type: "rejected", guidance: { runState: "detached" } });
  expect(owner.facts.runState).toMatchObject({ startedAtMs: before.activity.lastActivityAtMs + 1_000 });
  owner.settle("turn-outcome");
  expect(owner.admit()).toEqual({ type: "admitted" });
});

test("missing output with a living runner does not settle the prompt, and the surface says that the runner is silent (C15, C5)", async () => {
  await check([admit, take(noOutput)], ["running", "running"], "no output for a while, still alive");
});

test("a blocked Triage Agent stays live and waits for input until there is new output (C5)", async () => {
  const fixture = ownerFixture();
  const { owner, runner } = fixture;
  using _runner = owner.attachRunner(runner);
  owner.admit();
  runner.posture = "waiting";
  await owner.take(noOutput);
  expect(owner.view).toMatchObject({
    runState: "running",
    displayStatus: "needs_input",
    surface: "blocked: it waits for an answer",
  });
  await owner.take(delta);
  expect(owner.view).toMatchObject({ displayStatus: "working", surface: "working" });
});

test("only a dead verdict settles the prompt; a failed or slow probe changes nothing (C18)", async () => {
  for (const [liveness, state, evidence] of [
    ["alive", "running", null],
    ["unknown", "running", null],
    [new Error("the probe failed"), "running", null],
    ["dead", "idle", "settled proven-death"],
  ] as const) {
    const { owner, runner } = ownerFixture();
    using _runner = owner.attachRunner(runner);
    const observer = fakeObserver();
    owner.observe(observer, { type: "passive-final" });
    owner.admit();
    runner.liveness = liveness;
    await owner.take(noOutput);
    expect([liveness, owner.facts.runState.state, observer.seen.map(brief)]).toEqual([
      liveness,
      state,
      evidence === null ? [] : [evidence],
    ]);
  }
});

test("a probe that hangs is unknown after its deadline (C5)", async () => {
  const { owner, runner, clock } = ownerFixture();
  runner.probes.liveness = () => new Promise(() => undefined);
  using _runner = owner.attachRunner(runner);
  owner.admit();
  const taken = owner.take(noOutput);
  await clock.advance(5_000);
  await taken;
  expect(owner.facts).toMatchObject({ runState: { state: "running" }, runnerVerdict: null });
});

test("after a final report the run stays live and closed to prompts, and the surface says that the backend is active (C16)", async () => {
  await check(
    [admit, ({ owner }) => owner.reportFinal(), admit, settle],
    ["running", "running", "running", "idle"],
  );
  await check(
    [admit, ({ owner }) => owner.reportFinal()],
    ["running", "running"],
    "reply sent, backend still active",
  );
});

test("stop ends the Triage Agent first and then settles the prompt as stopped (C17, C18)", async () => {
  const { owner, runner } = ownerFixture();
  using _runner = owner.attachRunner(runner);
  const observer = fakeObserver();
  owner.observe(observer, { type: "passive-final" });
  owner.admit();
  runner.stopped = async () => {
    runner.events.push(`asked while ${owner.facts.runState.state}, aborted ${owner.stopSignal.aborted}`);
  };
  expect(await owner.stop()).toEqual({ type: "stopping" });
  expect(runner.events).toEqual(["asked while running, aborted true"]);
  expect(owner.stopSignal.reason).toEqual(new Error("stopped"));
  expect(owner.facts.runState.state).toBe("idle");
  expect(observer.seen.map(brief)).toEqual(["settled stop"]);
});

test("kill marks the run terminated before anything is torn down (O18)", async () => {
  const { owner, runner } = ownerFixture();
  using _runner = owner.attachRunner(runner);
  owner.admit();
  owner.stopSignal.addEventListener("abort", () => {
    runner.events.push(`torn down while terminated: ${owner.facts.activity.isTerminated}`);
  });
  expect(await owner.kill()).toEqual({ type: "stopping" });
  expect(runner.events).toEqual(["torn down while terminated: true", "stopped"]);
});

test("stop and kill of a run that is over or has no runner are not errors (O18)", async () => {
  const { owner, service } = ownerFixture();
  expect(service.find("o/r#8")).toBeNull();
  expect(await owner.kill()).toEqual({ type: "stopping" });
  owner.lifecycle.report({ type: "run-settled", atMs: 9, end: { status: "skipped", reason: "killed" } });
  expect(service.find("o/r#7")).toBeNull();
  for (const end of [() => owner.kill(), () => owner.stop()])
    expect(await end()).toEqual({ type: "no-active-run" });
  expect(owner.observe(fakeObserver(), { type: "live" })).toBeNull();
});

test("an issue key has one owner until its run has ended (C3)", () => {
  const { owner, service } = ownerFixture();
  expect(service.open(runFacts())).toEqual({ type: "already-owned", owner });
  expect(service.open(runFacts([], 8)).type).toBe("opened");
  owner.lifecycle.report({ type: "run-settled", atMs: 9, end: { status: "skipped", reason: "x" } });
  expect(service.open(runFacts()).type).toBe("opened");
});

test("after a restart of the parent a run with a living runner continues, and a run without a runner is idle (C9)", async () => {
  const detached = [
    { type: "prompt-admitted", atMs: 1 },
    { type: "observation-window-ended", atMs: 2 },
  ] as const;
  const state = (owner: RunOwner): string => owner.facts.runState.state;
  const { service, saved, clock } = ownerFixture();
  const alive = fakeRunner();
  const { owner } = service.rehydrate(runFacts(detached, 1), alive);
  expect(state(owner)).toBe("detached");
  alive.text = "still here";
  await clock.advance(250);
  expect(owner.facts.runState.lastReportAtMs).toBe(250);
  expect(state(service.rehydrate(runFacts(detached, 2), null).owner)).toBe("idle");
  expect(saved.map((facts) => [facts.number, facts.runState.state])).toEqual([
    [1, "detached"],
    [2, "idle"],
  ]);
});

test("only a terminated run is restored, and it counts as terminated until its spawn is completed (O19)", () => {
  const { service } = ownerFixture();
  const batch = { runId: "20260102T000000Z", atMs: 50 };
  expect(service.restore(runFacts([], 8), batch)).toEqual({ type: "not-restorable", reason: "still-live" });
  const before = runFacts(
    [
      { type: "session-opened", sessionId: "01S" },
      { type: "terminated", atMs: 5 },
    ],
    8,
  );
  const restored = service.restore(before, batch);
  if (restored.type === "not-restorable") throw new Error("it is terminated");
  const { owner } = restored;
  expect(owner.facts).toMatchObject({
    runId: batch.runId,
    restoredFrom: before.runId,
    sessionId: null,
    coderWorkspace: { state: "absent", id: null },
    activity: { isTerminated: true },
    progress: { phase: "selected" },
  });
  owner.lifecycle.report({ type: "spawn-completed", isSignalCapable: true, atMs: 60 });
  expect(owner.facts.activity).toMatchObject({ isTerminated: false, state: "idle", firstSignalAtMs: null });
});

test("input goes through the runner's gate and is refused without a runner (C12)", async () => {
  const { owner, runner } = ownerFixture();
  const { signal } = new AbortController();
  expect(await owner.send("hi", signal)).toMatchObject({ type: "refused", reason: "takes-no-input" });
  using _runner = owner.attachRunner(runner);
  expect(await owner.send("hi", signal)).toEqual({ type: "sent" });
  runner.answer = { type: "refused", reason: "not-ready", remedy: "wait" };
  expect(await owner.send("again", signal)).toEqual(runner.answer);
  expect(runner.sent).toEqual(["hi"]);
});

test("an event that changes nothing is not written (O13)", () => {
  const { owner, saved } = ownerFixture();
  owner.lifecycle.signal({ type: "invalid" });
  owner.judge("unknown");
  owner.settle("stop");
  owner.reportFinal();
  expect(saved).toEqual([]);
  expect(transition(owner.facts, { type: "runner-judged", verdict: "blocked" })).toBe(owner.facts);
});

/** All events that are not evidence for the end of a prompt. */
const harmless: Readonly<Record<string, Step>> = {
  delta: take(delta),
  "window ended": take(windowEnded),
  "no output": take(noOutput),
  idle: take({ type: "idle-after-output", text: "x", atMs: 4 }),
  "second prompt": admit,
  "final report": ({ owner }) => owner.reportFinal(),
  attach: ({ owner }) => owner.observe(fakeObserver(), { type: "live" }),
  "watch until it expires": async ({ owner, clock }) => {
    owner.observe(fakeObserver(), { type: "poll", intervalMs: 500, expiresMs: 1_000 });
    await clock.advance(2_000);
  },
  "failing observer": ({ owner }) => {
    const observer = fakeObserver();
    observer.answers = [new Error("a defect")];
    owner.observe(observer, { type: "live" });
  },
  "probe unknown": ({ runner }) => void (runner.liveness = "unknown"),
  "probe fails": ({ runner }) => void (runner.liveness = new Error("probe")),
  "probe alive": ({ runner }) => void (runner.liveness = "alive"),
  blocked: ({ runner }) => void (runner.posture = "waiting"),
  send: ({ owner }) => owner.send("hi", new AbortController().signal),
  "hours pass": ({ clock }) => clock.advance(7_200_000),
};

test("without settlement evidence an admitted prompt stays live and closed to others, whatever happens (C1, C18)", async () => {
  await assert(
    asyncProperty(array(constantFrom(...Object.keys(harmless)), { maxLength: 12 }), async (names) => {
      const fixture = ownerFixture();
      using _runner = fixture.owner.attachRunner(fixture.runner);
      fixture.owner.admit();
      const { progress, coderWorkspace, activity } = fixture.owner.facts;
      for (const name of names) await harmless[name]?.(fixture);
      expect(fixture.owner.facts.runState.state).not.toBe("idle");
      const { isTerminated, exitCode } = activity;
      expect(fixture.owner.facts).toMatchObject({
        progress,
        coderWorkspace,
        activity: { isTerminated, exitCode },
      });
      expect(fixture.owner.admit().type).toBe("rejected");
      expect(fixture.owner.stopSignal.aborted).toBe(false);
    }),
    { numRuns: propertyRuns(20, 200) },
  );
});
