import { describe, expect, test } from "vitest";
import {
  needsControls,
  planDesks,
  type RunKind,
  type RunRecord,
  settle,
  type Settlement,
} from "../../src/evidence/index.ts";

const claim = { script: "", expect: { exitCode: 1, outputContains: "got" } };

function run(kind: RunKind, exitCode: number, change: Partial<RunRecord> = {}): RunRecord {
  return {
    kind,
    answers: null,
    order: 0,
    alone: false,
    end: { type: "exited", exitCode },
    output: exitCode === 1 ? "got 1" : "",
    outputHash: "",
    durationMs: 1,
    changes: [],
    screenHash: "",
    ...change,
  };
}

const alone = { alone: true };
const shown = [run("real", 1), run("renumbered", 1), run("absent", 2), run("broken", 2)];

describe("runs side by side are settled before a verdict rests on them (V2)", () => {
  const cases: readonly (readonly [string, RunRecord[], Settlement])[] = [
    [
      "a deaf run that pleased the script beside another run is repeated alone",
      [...shown, run("deaf", 0)],
      { type: "alone", kind: "deaf", answers: null },
    ],
    [
      "a repeat with the same end settles it",
      [...shown, run("deaf", 0), run("deaf", 0, alone)],
      { type: "settled" },
    ],
    [
      "a repeat with another end repeats all runs one at a time",
      [...shown, run("deaf", 0), run("deaf", 1, alone)],
      { type: "one-at-a-time" },
    ],
    [
      "the answer that pleased is the one that is repeated",
      [...shown, run("deaf", 1), run("deaf", 0, { answers: "'x'" })],
      { type: "alone", kind: "deaf", answers: "'x'" },
    ],
    [
      "a control that shows the claim beside another run is repeated alone",
      [run("real", 1), run("absent", 1), run("deaf", 0, alone)],
      { type: "alone", kind: "absent", answers: null },
    ],
    [
      "real runs that differ are all repeated one at a time",
      [run("real", 1), run("real", 0, alone), run("deaf", 0)],
      { type: "one-at-a-time" },
    ],
    [
      "a renumbered run that differs from the real ones repeats all",
      [run("real", 1), run("renumbered", 0)],
      { type: "one-at-a-time" },
    ],
    ["runs that never show the claim stand", [run("real", 0), run("renumbered", 0)], { type: "settled" }],
    [
      "runs that each had the place to themselves stand, whatever they show",
      [run("real", 1, alone), run("real", 0, alone)],
      { type: "settled" },
    ],
    [
      "a tampering run stands beside others",
      [run("real", 1, { changes: [{ path: "a.js", type: "modified" }] }), run("real", 0)],
      { type: "settled" },
    ],
  ];
  test.each(cases)("%s", (_, records, expected) => {
    expect(settle(claim, records)).toEqual(expected);
  });
});

describe("controls end early once they cannot change the verdict (V2)", () => {
  test.each([
    ["nothing has run", [], true],
    ["the claim shows without the product", [run("real", 1), run("absent", 1)], false],
    ["the real runs before the last two do not show the claim", [run("real", 0)], false],
    ["one more does not show it either", [run("real", 0), run("real", 0)], false],
    ["the last real run shows it after all", [run("real", 0), run("real", 0), run("real", 1)], true],
    ["a run has tampered", [run("real", 1, { changes: [{ path: "a.js", type: "deleted" }] })], false],
    ["one of two real runs shows it", [run("real", 1), run("real", 0)], true],
  ] as const)("%s", (_, records, expected) => {
    expect(needsControls(claim, records, 3)).toBe(expected);
  });
});

describe("the place bounds how many runs take place at a time (V2)", () => {
  const apart = "unshare --mount --ipc --pid ../apart";
  test.each([
    ["each processor takes one", { apart, cores: 2, freeMemoryMb: 8_000 }, false, 2],
    ["four are the most", { apart, cores: 64, freeMemoryMb: 64_000 }, false, 4],
    ["little memory allows fewer", { apart, cores: 4, freeMemoryMb: 1_100 }, false, 2],
    ["one runs where memory is short or unknown", { apart, cores: 4, freeMemoryMb: 0 }, false, 1],
    [
      "one runs where files cannot be hidden",
      { apart: "unshare --pid", cores: 4, freeMemoryMb: 8_000 },
      false,
      1,
    ],
    ["a script of chance or time runs by itself", { apart, cores: 4, freeMemoryMb: 8_000 }, true, 1],
  ])("%s", (_, surroundings, isDelicate, expected) => {
    expect(planDesks(surroundings, isDelicate)).toBe(expected);
  });
});
