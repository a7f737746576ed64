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

describe("runs side by side are settled before they count for a verdict (V2)", () => {
  const cases: readonly (readonly [string, RunRecord[], Settlement])[] = [
    [
      "a deaf run that satisfied the script while another run took place is repeated alone",
      [...shown, run("deaf", 0)],
      { type: "alone", kind: "deaf", answers: null },
    ],
    [
      "a repetition with the same end settles it",
      [...shown, run("deaf", 0), run("deaf", 0, alone)],
      { type: "settled" },
    ],
    [
      "a repetition with another end causes all runs to be repeated one at a time",
      [...shown, run("deaf", 0), run("deaf", 1, alone)],
      { type: "one-at-a-time" },
    ],
    [
      "the run with the answer that satisfied the script is repeated",
      [...shown, run("deaf", 1), run("deaf", 0, { answers: "'x'" })],
      { type: "alone", kind: "deaf", answers: "'x'" },
    ],
    [
      "a control that shows the claim while another run took place is repeated alone",
      [run("real", 1), run("absent", 1), run("deaf", 0, alone)],
      { type: "alone", kind: "absent", answers: null },
    ],
    [
      "real runs that differ are all repeated one at a time",
      [run("real", 1), run("real", 0, alone), run("deaf", 0)],
      { type: "one-at-a-time" },
    ],
    [
      "a renumbered run that differs from the real runs causes all to be repeated",
      [run("real", 1), run("renumbered", 0)],
      { type: "one-at-a-time" },
    ],
    [
      "runs that never show the claim are settled",
      [run("real", 0), run("renumbered", 0)],
      { type: "settled" },
    ],
    [
      "runs that each ran alone are settled, whatever they show",
      [run("real", 1, alone), run("real", 0, alone)],
      { type: "settled" },
    ],
    [
      "a tampering run is settled even if others took place at the same time",
      [run("real", 1, { changes: [{ path: "a.js", type: "modified" }] }), run("real", 0)],
      { type: "settled" },
    ],
  ];
  test.each(cases)("%s", (_, records, expected) => {
    expect(settle(claim, records)).toEqual(expected);
  });
});

describe("controls continue only while they can change the verdict (V2)", () => {
  test.each([
    ["no run has taken place", [], true],
    ["the claim shows without the product", [run("real", 1), run("absent", 1)], false],
    ["the real runs before the last two do not show the claim", [run("real", 0)], false],
    ["one more real run does not show the claim either", [run("real", 0), run("real", 0)], false],
    ["the last real run shows the claim", [run("real", 0), run("real", 0), run("real", 1)], true],
    ["a run has tampered", [run("real", 1, { changes: [{ path: "a.js", type: "deleted" }] })], false],
    ["one of two real runs shows the claim", [run("real", 1), run("real", 0)], true],
  ] as const)("%s", (_, records, expected) => {
    expect(needsControls(claim, records, 3)).toBe(expected);
  });
});

describe("the place limits how many runs take place at a time (V2)", () => {
  const apart = "unshare --mount --ipc --pid ../apart";
  test.each([
    ["one run per processor", { apart, cores: 2, freeMemoryMb: 8_000 }, false, 2],
    ["at most four runs", { apart, cores: 64, freeMemoryMb: 64_000 }, false, 4],
    ["fewer runs with little memory", { apart, cores: 4, freeMemoryMb: 1_100 }, false, 2],
    ["one run if memory is short or unknown", { apart, cores: 4, freeMemoryMb: 0 }, false, 1],
    [
      "one run if files cannot be hidden",
      { apart: "unshare --pid", cores: 4, freeMemoryMb: 8_000 },
      false,
      1,
    ],
    ["one run if the script depends on chance or time", { apart, cores: 4, freeMemoryMb: 8_000 }, true, 1],
  ])("%s", (_, surroundings, isDelicate, expected) => {
    expect(planDesks(surroundings, isDelicate)).toBe(expected);
  });
});
