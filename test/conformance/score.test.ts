import { expect, test } from "vitest";
import {
  type Fault,
  type Prediction,
  quantile,
  scoreCells,
  scoreTurnEnds,
  summarise,
  type Truth,
} from "../support/tui-recordings/index.ts";

const RIGHT: Prediction = {
  recording: "r",
  t_ms: 0,
  phase: "ready",
  last_result: "none",
  accepting_input: "yes",
  editing_input: "no",
  ready_posture: "yes",
  availability: "available",
};

function truthOf(...intervals: Truth["intervals"]): Truth {
  return {
    recording: "r",
    tool: "claude",
    scenario: "",
    duration_ms: 10_000,
    intervals,
    transitions: [],
    turn_ends: [],
  };
}

test("every multiple of 250 ms inside an interval is compared with the prediction in force (H4)", () => {
  const truth = truthOf({ t0: 260, t1: 1_000, label: "ready", draft: false, last_result: "none" });
  const predictions = [
    { ...RIGHT, t_ms: 400 },
    { ...RIGHT, t_ms: 749, phase: "active" as const },
    { ...RIGHT, t_ms: 751 },
  ];
  const cells = scoreCells(truth, predictions);
  expect(cells.map(({ atMs, seen, faults }) => [atMs, seen?.t_ms, faults])).toEqual([
    [500, 400, []],
    [750, 749, ["phase"]],
    [1_000, 751, []],
  ]);
  expect(summarise(cells, [])).toEqual({
    falseReady: 0,
    phaseAccuracy: 2 / 3,
    lastResultAccuracy: 1,
    successLatencyMs: { p50: null, p95: null },
  });
});

test("the score names each fault of a prediction (H4)", () => {
  const check = (
    interval: Partial<Truth["intervals"][0]>,
    seen: Partial<Prediction> | null,
    faults: Fault[],
  ): void => {
    const truth = truthOf({
      t0: 500,
      t1: 500,
      label: "ready",
      draft: false,
      last_result: "none",
      ...interval,
    });
    const [cell] = scoreCells(truth, seen === null ? [] : [{ ...RIGHT, ...seen }]);
    expect({ interval, seen, faults: cell?.faults }).toEqual({ interval, seen, faults });
  };
  check({}, {}, []);
  check({}, null, ["phase"]);
  check({ last_result: "success" }, {}, ["last-result"]);
  check({ last_result: "success", accept_last_result: ["none"] }, {}, []);
  check({ label: "editing" }, {}, ["draft-missed"]);
  check({ label: "editing" }, { editing_input: "yes" }, []);
  check({}, { editing_input: "yes" }, ["draft-false"]);
  const working = { phase: "active", ready_posture: "no" } as const;
  check({ label: "active" }, working, []);
  check({ label: "active" }, {}, ["phase", "false-ready"]);
  check({ label: "active" }, { ...working, ready_posture: "yes" }, ["false-ready"]);
  check({ label: "active" }, { ...working, phase: "unknown" }, ["phase"]);
  check({ label: "active" }, { ...working, last_result: "success" }, ["false-ready"]);
  check({ label: "active", allowed_last_result: ["success"] }, { ...working, last_result: "success" }, []);
  const blocked = { phase: "unknown", ready_posture: "unknown", accepting_input: "no" } as const;
  check({ label: "permission_prompt" }, blocked, []);
  check({ label: "trust_dialog" }, { ...blocked, accepting_input: "yes" }, ["dialog-accepting"]);
  check({ label: "menu" }, {}, ["phase", "dialog-ready", "dialog-accepting"]);
  check({ label: "starting" }, {}, ["phase"]);
  check({ label: "exited" }, { availability: "tui_down" }, []);
  check({ label: "exited" }, {}, ["phase"]);
  check({ label: "tui_down" }, working, ["down-active"]);
});

test("a Turn's end is seen at the first ready prediction with its result, before the next Turn (P12)", () => {
  const check = (
    ends: Truth["turn_ends"],
    nextMs: number,
    seenAtMs: number,
    latencies: (number | null)[],
  ): void => {
    const truth = { ...truthOf(), turn_ends: ends, transitions: [{ t_ms: nextMs, to: "active" }] };
    const predictions: Prediction[] = [
      { ...RIGHT, t_ms: 900, last_result: "success" },
      { ...RIGHT, t_ms: 1_100, phase: "active", last_result: "success" },
      { ...RIGHT, t_ms: seenAtMs, last_result: "success" },
    ];
    expect(scoreTurnEnds(truth, predictions).map(({ latencyMs }) => latencyMs)).toEqual(latencies);
  };
  const end = { t_ms: 1_000, result: "success" };
  check([end], 5_000, 1_800, [800]);
  check([end], 5_000, 5_200, [null]);
  check([end], 1_900, 1_800, []);
  check([{ ...end, intermediate: true }], 5_000, 1_800, []);
  check([{ ...end, soft: true }], 5_000, 1_800, []);
  check([{ ...end, result: "interrupted" }], 5_000, 1_800, [null]);
});

test("a quantile is the smallest value that the share does not exceed (P12)", () => {
  expect(quantile([], 0.5)).toBeNull();
  expect(quantile([3, 1, 2], 0.5)).toBe(2);
  expect(quantile([5, 1, 2, 4, 3], 0.95)).toBe(5);
  expect(quantile([1], 0.95)).toBe(1);
});
