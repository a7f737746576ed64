import { expect, test } from "vitest";
import {
  ignoredInterrupts,
  labelMoments,
  type LabelRules,
  type Moment,
  truthDocument,
} from "../support/tui-recordings/index.ts";
import type { Traffic } from "../support/model-server/index.ts";

const RULES: LabelRules = { asksForPermission: false, startGuardMs: 400, endGuardMs: null };
const START: Moment[] = [
  { type: "spawned", atMs: 0 },
  { type: "shown", what: "prompt", atMs: 1_000 },
  { type: "input", means: "draft", atMs: 3_000 },
  { type: "input", means: "submit", atMs: 4_000 },
];

test("the truth is derived from the server's timeline, the inputs and the process", () => {
  const check = (moments: Moment[], labels: string[], rules: Partial<LabelRules> = {}): void => {
    const transitions = labelMoments([...START, ...moments], { ...RULES, ...rules });
    const told = transitions.map(
      ({ t_ms, to, draft, result }) => `${t_ms} ${to}${draft ? " draft" : ""} ${result}`,
    );
    expect(told).toEqual([
      "0 starting none",
      "1000 ready none",
      "3000 editing draft none",
      "4000 active none",
      ...labels,
    ]);
  };
  const answered = served(9_000, { type: "last-byte", stop: "end-turn" });
  check([], []);
  check([served(4_100, { type: "main-request" }), answered], ["9000 success_ready success"]);
  check([served(5_000, { type: "last-byte", stop: "tool-use" }), answered], ["9000 success_ready success"]);
  check([typed(6_000, "interrupt"), answered], ["6000 interrupted_ready interrupted"]);
  check(
    [typed(5_000, "draft"), answered, typed(9_500, "draft_clear")],
    ["5000 active draft none", "9000 editing draft success", "9500 success_ready success"],
  );
  check(
    [
      typed(5_000, "draft"),
      typed(5_500, "queue"),
      answered,
      served(12_000, { type: "last-byte", stop: "end-turn" }),
    ],
    ["5000 active draft none", "5500 active none", "9000 active none", "12000 success_ready success"],
  );
  const called = served(5_000, { type: "tool-call", name: "Bash" });
  check([called, answered], ["9000 success_ready success"]);
  const asked: Moment = { type: "shown", what: "permission", atMs: 6_000 };
  const asking = ["5000 exiting none", "6000 permission_prompt none"];
  check(
    [called, asked, typed(7_000, "perm_accept"), answered],
    [...asking, "7000 active none", "9000 success_ready success"],
    { asksForPermission: true },
  );
  check([called, asked, typed(7_000, "perm_reject")], [...asking, "7000 interrupted_ready interrupted"], {
    asksForPermission: true,
  });
  check(
    [answered, { type: "exited", atMs: 9_900, code: 0 }],
    ["9000 success_ready success", "9900 exited success"],
  );
});

test("a failure ends a Turn only when no other attempt follows", () => {
  const refused = (atMs: number): Moment => served(atMs, { type: "error-sent", status: 500 });
  const attempt = (atMs: number): Moment => served(atMs, { type: "main-request" });
  const check = (moments: Moment[], ends: [number, string][]): void => {
    const { turn_ends } = truthDocument(HEADER, labelMoments([...START, ...moments], RULES), 30_000);
    expect(turn_ends.map(({ t_ms, result }) => [t_ms, result])).toEqual(ends);
  };
  check([attempt(4_100), refused(4_200), attempt(5_000), refused(5_100)], [[5_100, "known_failure"]]);
  check(
    [attempt(4_100), refused(4_200), attempt(5_000), served(6_000, { type: "last-byte", stop: "end-turn" })],
    [[6_000, "success"]],
  );
  check(
    [
      attempt(4_100),
      refused(4_200),
      typed(9_000, "submit"),
      attempt(9_100),
      served(9_900, { type: "disconnected" }),
    ],
    [
      [4_200, "known_failure"],
      [9_900, "known_failure"],
    ],
  );
});

test("an interrupt that the tool ignored is reported, so that it makes no recording", () => {
  const first = served(4_200, { type: "first-byte" });
  const gone = (atMs: number): Moment => served(atMs, { type: "client-gone" });
  const check = (moments: Moment[], ignored: number[]): void =>
    expect(ignoredInterrupts([...START, ...moments])).toEqual(ignored);
  check([first, typed(6_000, "interrupt"), gone(6_050)], []);
  check([first, gone(5_990), typed(6_000, "interrupt")], []);
  check([first, typed(6_000, "interrupt")], [6_000]);
  check([first, typed(6_000, "interrupt"), gone(12_000)], [6_000]);
  check([first, served(5_000, { type: "last-byte", stop: "tool-use" }), typed(6_000, "interrupt")], []);
});

test("nothing is scored around a transition, and around some transitions for longer", () => {
  const { intervals } = truthDocument(HEADER, labelMoments(START, { ...RULES, startGuardMs: 1_200 }), 10_000);
  expect(intervals.map(({ t0, t1, label }) => [label, t0, t1])).toEqual([
    ["starting", 400, 850],
    ["ready", 2_200, 2_850],
    ["editing", 3_400, 3_850],
    ["active", 4_800, 10_000],
  ]);
});

const HEADER = { recording: "r", tool: "claude", scenario: "s" };

function typed(atMs: number, means: Extract<Moment, { type: "input" }>["means"]): Moment {
  return { type: "input", atMs, means };
}

type Unstamped<T> = T extends Traffic ? Omit<T, "wallMs" | "request"> : never;

function served(atMs: number, traffic: Unstamped<Traffic>): Moment {
  return { type: "traffic", atMs, traffic: { wallMs: atMs, request: 1, ...traffic } };
}

test("a TUI that was started from a shell is down before it starts and after it ends", () => {
  const shell: Moment[] = [
    typed(1_000, "launch"),
    { type: "shown", what: "prompt", atMs: 2_000 },
    typed(3_000, "draft"),
    typed(4_000, "submit"),
    { type: "at-shell", atMs: 6_000 },
    typed(9_000, "launch"),
    { type: "shown", what: "prompt", atMs: 10_000 },
  ];
  const told = labelMoments(shell, RULES).map(({ t_ms, to }) => `${t_ms} ${to}`);
  expect(told).toEqual([
    "1000 starting",
    "2000 ready",
    "3000 editing",
    "4000 active",
    "6000 tui_down",
    "9000 starting",
    "10000 ready",
  ]);
});
