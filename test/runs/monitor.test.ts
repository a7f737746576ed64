import { expect, test } from "vitest";
import { advanceMonitor, newMonitor, type Posture } from "../../src/runs/index.ts";
import { fakeObserver, fakeRunner, ownerFixture } from "./owner-fixture.ts";

const SECOND_MS = 1_000;

/** Checks the facts that the monitor reports for reads of the screen at these times (in seconds). */
function check(looks: readonly [number, string, Posture?][], expected: readonly string[]): void {
  let state = newMonitor(0);
  const said = looks.flatMap(([atS, text, posture = "unknown"]) => {
    const look = { text, posture, atMs: atS * SECOND_MS };
    const advanced = advanceMonitor(state, look);
    state = advanced.state;
    return advanced.facts.map((fact) => `${atS} ${fact.type}${"text" in fact ? ` ${fact.text}` : ""}`);
  });
  expect(said).toEqual(expected);
}

test("the monitor reports each change of the text, and idle once after the idle timeout (C6)", () => {
  check(
    [
      [2, "a"],
      [4, "b"],
      [6, "b"],
      [9.9, "b"],
      [10, "b"],
      [12, "b"],
      [14, "c"],
      [20, "c"],
    ],
    [
      "2 running-delta a",
      "4 running-delta b",
      "10 idle-after-output b",
      "14 running-delta c",
      "20 idle-after-output c",
    ],
  );
});

test("the monitor reports missing visible output once after its timeout, and a cleared screen is not a delta (C6)", () => {
  check(
    [
      [20, ""],
      [20.1, ""],
      [30, ""],
      [31, "a"],
      [32, ""],
      [33, "a"],
    ],
    ["20.1 no-visible-output", "31 running-delta a"],
  );
});

test("a screen that reports work is not idle, however long it does not change (C6)", () => {
  check(
    [
      [1, "a", "busy"],
      [60, "a", "busy"],
      [61, "a", "ready"],
    ],
    ["1 running-delta a", "61 idle-after-output a"],
  );
});

test("the end of the observation window is reported once (C11)", () => {
  check(
    [
      [1_799, "a"],
      [1_800, "b"],
      [1_900, "c"],
    ],
    ["1799 running-delta a", "1800 running-delta b", "1800 max-runtime-reached", "1900 running-delta c"],
  );
});

test("the monitor watches an admitted prompt, records deltas, and detaches the prompt after half an hour (C11)", async () => {
  const { owner, clock } = ownerFixture();
  const runner = fakeRunner();
  using _runner = owner.attachRunner(runner);
  owner.admit();
  runner.text = "hello";
  await clock.advance(250);
  expect(owner.facts.runState.lastReportAtMs).toBe(250);
  await clock.advance(30 * 60 * SECOND_MS);
  expect(owner.facts.runState.state).toBe("detached");
  owner.settle("turn-outcome");
  runner.text = "more";
  await clock.advance(60 * SECOND_MS);
  expect(owner.facts.runState).toEqual({ state: "idle", lastReportAtMs: 250 });
});

test("a screen that cannot be read is read again after the next interval (C6)", async () => {
  const { owner, clock } = ownerFixture();
  const runner = fakeRunner();
  let looks = 0;
  runner.screen.look = async () => {
    looks += 1;
    throw new Error("gone");
  };
  using _runner = owner.attachRunner(runner);
  owner.admit();
  await clock.advance(SECOND_MS);
  expect(looks).toBe(4);
  runner.screen.look = async () => ({ text: "back", posture: "busy" });
  await clock.advance(SECOND_MS);
  expect(owner.facts.runState.lastReportAtMs).toBe(1_250);
});

/** Returns how often the screen is read in ten seconds of output, one line per second, and three silent ones. */
async function looksDuringOutput(
  isWatched: boolean,
): Promise<{ looks: number; lastReportAtMs: number | null }> {
  const { owner, clock } = ownerFixture();
  const runner = fakeRunner();
  let looks = 0;
  runner.screen.look = async () => {
    looks += 1;
    return { text: runner.text, posture: "busy" };
  };
  using _runner = owner.attachRunner(runner);
  owner.admit();
  if (isWatched) owner.observe(fakeObserver(), { type: "live" });
  for (let second = 1; second <= 10; second += 1) {
    runner.text = `line ${second}`;
    await clock.advance(SECOND_MS);
  }
  await clock.advance(3 * SECOND_MS);
  return { looks, lastReportAtMs: owner.facts.runState.lastReportAtMs };
}

test("output is recorded without reading the screen while there is no observer, until the output stops (C6)", async () => {
  expect(await looksDuringOutput(false)).toEqual({ looks: 2, lastReportAtMs: 10_250 });
  // The screen is read once more after the output stops: it reports work, which is checked again.
  expect(await looksDuringOutput(true)).toEqual({ looks: 7, lastReportAtMs: 10_250 });
});

test("an unchanged screen that no longer counts as work is reported as idle after output, without new output (C5, C6)", async () => {
  const { owner, clock } = ownerFixture();
  const runner = fakeRunner();
  runner.text = "esc to interrupt";
  let posture: "busy" | "unknown" = "busy";
  runner.screen.look = async () => ({ text: runner.text, posture });
  using _runner = owner.attachRunner(runner);
  owner.admit();
  await clock.advance(60 * SECOND_MS);
  expect(owner.facts.runnerVerdict).toBeNull();
  posture = "unknown";
  await clock.advance(4 * SECOND_MS);
  expect(owner.facts.runnerVerdict).toBe("silent-but-alive");
});
