import { describe, expect, test } from "vitest";
import { systemClock } from "agent-tty/kit";
import type { Claim, RunEnd, RunKind, RunRecord } from "../../src/evidence/index.ts";
import { isBeyondDoubt } from "../../src/evidence/decide/index.ts";
import { limitOfRun, TimeForRuns } from "../../src/evidence/pipeline/time-for-runs.ts";

const TIMEOUT_MS = 300_000;

function timeOf(wholeMs: number): { time: TimeForRuns; pass: (ms: number) => void } {
  let nowMs = 0;
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  const { signal } = new AbortController();
  const time = new TimeForRuns({ clock, signal, remainingMs: () => wholeMs - nowMs });
  return { time, pass: (ms) => void (nowMs += ms) };
}

describe("runs end before the run deadline does (V3)", () => {
  test.each([
    [600_000, 540_000],
    [1_200_000, 1_140_000],
    [10_000, 9_000],
  ])("if %i ms are left, runs may take %i ms", (wholeMs, expected) => {
    expect(timeOf(wholeMs).time.leftMs).toBe(expected);
  });

  test("no run starts if one as long as the longest so far would not finish in time", async () => {
    const { time, pass } = timeOf(600_000);
    const run = (ms: number): Promise<unknown> =>
      time.measure(() => {
        pass(ms);
        return Promise.resolve({ end: { type: "exited", exitCode: 1 } as const });
      }, TIMEOUT_MS);
    await run(200_000);
    await run(100_000);
    expect([time.isEnough(), time.isOver]).toEqual([true, false]);
    await run(40_000);
    expect([time.leftMs, time.isEnough(), time.isOver]).toEqual([200_000, false, true]);
  });

  test("a run cut off by the deadline is ignored; a run ended by its own limit counts", async () => {
    const cutAfter = (limitMs: number) => () =>
      Promise.resolve({ end: { type: "timed-out", limitMs } as const });
    const { time } = timeOf(600_000);
    expect(await time.measure(cutAfter(TIMEOUT_MS), TIMEOUT_MS)).not.toBeNull();
    expect(time.isOver).toBe(false);
    expect(await time.measure(cutAfter(TIMEOUT_MS - 1_000), TIMEOUT_MS)).toBeNull();
    expect(time.isOver).toBe(true);
  });
});

describe("some of the runs may be enough for a verdict (V3)", () => {
  const claim: Claim = { script: "", expect: { exitCode: 1, outputContains: "bug" } };
  const record = (kind: RunKind, isShown: boolean, changed = false): RunRecord => {
    const end: RunEnd = { type: "exited", exitCode: isShown ? 1 : 0 };
    return {
      kind,
      answers: null,
      order: 0,
      alone: true,
      end,
      output: isShown ? "bug" : "",
      outputHash: "",
      durationMs: 1,
      changes: changed ? [{ path: "index.js", type: "modified" }] : [],
      screenHash: "",
    };
  };
  const [shows, silent] = [record("real", true), record("real", false)];

  test.each<[string, RunRecord[], boolean]>([
    ["no run was made", [], false],
    ["all real runs show the claim, and no control was run", [shows, shows, shows], false],
    ["the claim shows without the product", [shows, record("absent", true)], true],
    [
      "a broken product shows the claim, which may be about the manifest",
      [shows, record("broken", true)],
      false,
    ],
    ["no deaf product satisfies the script yet", [shows, record("deaf", true)], false],
    ["none of the requested real runs shows the claim", [silent, silent, silent], true],
    ["two of three real runs do not show the claim", [silent, silent], false],
    ["real runs differ", [silent, silent, shows], false],
    ["the script changes the product", [record("real", true, true)], true],
  ])("%s", (_, records, expected) => {
    expect(isBeyondDoubt(claim, records, 3)).toBe(expected);
  });
});

test.each([
  ["a real run", "real", [], 60_000],
  ["a deaf run before any other run", "deaf", [], 60_000],
  ["a deaf run after short runs", "deaf", [100, 200], 15_000],
  ["a deaf run after a long run", "deaf", [100, 2_000], 40_000],
  ["a deaf run after a run that took as long as it may", "deaf", [59_000], 60_000],
] as const)(
  "the time limit of %s follows from the runs of a working product (V2)",
  (_, kind, durations, limitMs) => {
    const records = [
      { kind: "absent", durationMs: 50_000 } as const,
      ...durations.map((durationMs) => ({ kind: "real", durationMs }) as const),
    ];
    expect(limitOfRun(kind, records, 60_000)).toBe(limitMs);
  },
);
