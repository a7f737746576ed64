import { expect, test } from "vitest";
import type { MonitorFact, ObserverMode } from "../../src/runs/index.ts";
import { brief, type FakeObserver, fakeObserver, type OwnerFixture, ownerFixture } from "./owner-fixture.ts";

const delta = (text: string): MonitorFact => ({ type: "running-delta", text, atMs: 1 });

/** Returns the updates of an observer of a running prompt after `steps`, without the first one. */
async function observed(
  mode: ObserverMode,
  steps: (fixture: OwnerFixture, observer: FakeObserver) => Promise<void>,
): Promise<string[]> {
  const fixture = ownerFixture();
  fixture.owner.admit();
  const observer = fakeObserver();
  fixture.owner.observe(observer, mode);
  await fixture.clock.advance(0);
  observer.seen = [];
  await steps(fixture, observer);
  await fixture.clock.advance(0);
  return observer.seen.map(brief);
}

test("a live observer receives every update and the end (C13)", async () => {
  const seen = await observed({ type: "live" }, async ({ owner, clock }) => {
    for (const text of ["a", "b"]) {
      await owner.take(delta(text));
      await clock.advance(0);
    }
    owner.settle("turn-outcome");
    owner.lifecycle.report({ type: "run-settled", atMs: 9, end: { status: "skipped", reason: "x" } });
  });
  expect(seen).toEqual(["output a", "output b", "changed idle", "settled turn-outcome", "ended idle"]);
});

test("a poll observer receives the latest update per interval and, once it has expired, only the final updates (C13, C17)", async () => {
  const mode: ObserverMode = { type: "poll", intervalMs: 30_000, expiresMs: 60_000 };
  const seen = await observed(mode, async ({ owner, clock }) => {
    for (const text of ["a", "b"]) await owner.take(delta(text));
    await clock.advance(29_999);
    await owner.take(delta("c"));
    await clock.advance(1);
    await clock.advance(30_000);
    await owner.take(delta("d"));
    await clock.advance(120_000);
    owner.settle("turn-outcome");
  });
  expect(seen).toEqual(["output c", "settled turn-outcome"]);
});

test("a passive-final observer receives only the final settlement (C13)", async () => {
  const seen = await observed({ type: "passive-final" }, async ({ owner }) => {
    await owner.take(delta("a"));
    owner.settle("turn-outcome");
  });
  expect(seen).toEqual(["settled turn-outcome"]);
});

test("detaching a live observer stops its updates except the final one (C17)", async () => {
  const fixture = ownerFixture();
  fixture.owner.admit();
  const observer = fakeObserver();
  const slot = fixture.owner.observe(observer, { type: "live" });
  await fixture.clock.advance(0);
  slot?.setMode({ type: "passive-final" });
  await fixture.owner.take(delta("a"));
  fixture.owner.settle("turn-outcome");
  await fixture.clock.advance(0);
  expect(observer.seen.map(brief)).toEqual(["changed running", "settled turn-outcome"]);
});

test("a delivery that fails twice and then succeeds keeps its observer and does not affect the run (C17)", async () => {
  const fixture = ownerFixture();
  fixture.owner.admit();
  const observer = fakeObserver();
  observer.answers = ["retry", "retry"];
  fixture.owner.observe(observer, { type: "live" });
  await fixture.clock.advance(4_000);
  observer.answers = ["retry", "retry"];
  await fixture.owner.take(delta("a"));
  await fixture.clock.advance(4_000);
  expect(observer.seen.map(brief)).toEqual(["changed running", "output a"]);
  expect(fixture.owner.facts.runState.state).toBe("running");
});

test("three consecutive failures or one rejection remove the observer without affecting the run or others (C17)", async () => {
  for (const answers of [["retry", "retry", "retry"] as const, [new Error("a defect")]]) {
    const fixture = ownerFixture();
    fixture.owner.admit();
    const [broken, healthy] = [fakeObserver(), fakeObserver()];
    broken.answers = [...answers];
    for (const observer of [broken, healthy]) fixture.owner.observe(observer, { type: "live" });
    await fixture.clock.advance(10_000);
    await fixture.owner.take(delta("a"));
    await fixture.clock.advance(10_000);
    expect(broken.seen).toEqual([]);
    expect(healthy.seen.map(brief)).toEqual(["changed running", "output a"]);
    expect(fixture.owner.facts.runState.state).toBe("running");
  }
});

test("a slow observer delays no other observer and receives the latest update (C13)", async () => {
  const fixture = ownerFixture();
  fixture.owner.admit();
  const seen: string[] = [];
  let release = (): void => undefined;
  fixture.owner.observe(
    {
      deliver: async (update) => {
        seen.push(brief(update));
        if (seen.length === 1) await new Promise<void>((resolve) => (release = resolve));
        return "delivered";
      },
    },
    { type: "live" },
  );
  for (const text of ["a", "b", "c"]) await fixture.owner.take(delta(text));
  release();
  await fixture.clock.advance(0);
  expect(seen).toEqual(["changed running", "output c"]);
});
