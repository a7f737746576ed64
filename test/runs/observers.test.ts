import { expect, test } from "vitest";
import type { MonitorFact, ObserverMode } from "../../src/runs/index.ts";
import { brief, type FakeObserver, fakeObserver, type OwnerFixture, ownerFixture } from "./owner-fixture.ts";

const delta = (text: string): MonitorFact => ({ type: "running-delta", text, atMs: 1 });

/** What an observer of a running prompt was told after `steps`; the first update, the run as it is, is left out. */
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

test("C13: live is told every update and the end", async () => {
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

test("C13 C17: poll is told the latest at its interval, then, expired, only what is final", async () => {
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

test("C13: passive-final is told the final settlement only", async () => {
  const seen = await observed({ type: "passive-final" }, async ({ owner }) => {
    await owner.take(delta("a"));
    owner.settle("turn-outcome");
  });
  expect(seen).toEqual(["settled turn-outcome"]);
});

test("C17: detaching a live observer stops its updates; the final one still comes", async () => {
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

test("C17: a delivery that fails twice for now keeps its observer; nothing of the run changes", async () => {
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

test("C17: three failures in a row or one defect remove the observer; the run and the others go on", async () => {
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

test("C13: an observer that is slow holds nobody up and gets the latest", async () => {
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
