import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import type { PageClock } from "../../src/board/page/browser/clock.ts";
import type { BoardData } from "../../src/board/page/data/board-data.ts";
import { SharedChanges } from "../../src/board/page/data/shared-changes.ts";
import type { ChangeEvent } from "../../src/board/api/index.ts";
import { RunList } from "../../src/board/page/model/run-list.ts";
import { explanationOf } from "../../src/board/page/model/explanation.ts";
import { Announcer, newsOf } from "../../src/board/page/model/news.ts";
import { whyNoRun } from "../../src/board/page/run-view/no-run.ts";
import { whyNoTerminal } from "../../src/board/page/run-view/no-terminal.ts";
import { filtersOfQuery, queryOfFilters } from "../../src/board/page/selection/filter-query.ts";
import {
  noFilters,
  type RunFilters,
  shownRuns,
  shownStatus,
} from "../../src/board/page/selection/filters.ts";
import { totalsOf } from "../../src/board/page/selection/totals.ts";
import { formatDuration, formatMoment, formatUsd, label } from "../../src/board/page/model/format.ts";
import { formatDuration as formatOnTheCommandLine } from "../../src/cli/output/format-duration.ts";
import { buildRun, type RunFacts } from "../support/board/index.ts";
import { clockByHand } from "./clock-by-hand.ts";

const HOUR_MS = 3_600_000;
const row = (facts: Partial<RunFacts>): ReturnType<typeof buildRun>["document"]["run"] =>
  buildRun({ runId: "20261121T053000Z", number: 1, title: "t", startedAtMs: 0, durationMs: 1_000, ...facts })
    .document.run;

test("the page and the command line format durations in the same way", () => {
  const durations = [0, 1, 850, 999, 1_000, 1_999, 59_999, 60_000, 185_900, 3_599_999, 3_600_000, 3_725_000];
  expect(durations.map(formatDuration)).toEqual(durations.map(formatOnTheCommandLine));
  expect([850, 1_999, 185_900, 3_725_000].map(formatDuration)).toEqual([
    "850 ms",
    "1 s",
    "3 min 05 s",
    "1 h 02 min",
  ]);
});

test("a time of another year names the year, and large amounts have separators (B8)", () => {
  const nowMs = new Date(2026, 0, 2, 12).getTime();
  const shown = [new Date(2026, 0, 2, 5, 30), new Date(2026, 0, 1, 5, 30), new Date(2025, 11, 31, 5, 30)];
  expect(shown.map((at) => formatMoment(at.getTime(), nowMs))).toEqual([
    "05:30",
    "Thu 1 Jan 05:30",
    "31 Dec 2025 05:30",
  ]);
  expect([null, 0, 0.004, 12.105, 12_345.6].map(formatUsd)).toEqual([
    "–",
    "$0.00",
    "< $0.01",
    "$12.11",
    "$12,345.60",
  ]);
});

test("the end of a run is explained by the deciding rules or the failure, not by the reason why it was chosen (L9)", () => {
  const failure = { code: "X", message: "clone failed", remedy: "r" };
  const explained: readonly (readonly [RunFacts["end"] | null, string])[] = [
    [null, ""],
    [{ outcome: "ready-for-agent", policy: "reproduction-verified" }, "reproduction verified"],
    [{ outcome: "needs-info" }, "as proposed"],
    [{ status: "locked", reason: "locked-by-another-parent" }, "locked by another parent"],
    [{ failure, reason: "checkout-failed" }, "clone failed"],
  ];
  for (const [end, text] of explained)
    expect(explanationOf(row(end === null || end === undefined ? {} : { end }))).toBe(text);
});

test("recent runs are in progress or ended in the last 24 hours, and filters round-trip through the address", () => {
  const nowMs = 100 * HOUR_MS;
  const end = { outcome: "needs-info" } as const;
  const runs = [
    row({ number: 1, startedAtMs: nowMs - 40 * HOUR_MS }),
    row({ number: 2, startedAtMs: nowMs - 40 * HOUR_MS, end }),
    row({ number: 3, startedAtMs: nowMs - 30 * HOUR_MS, durationMs: 7 * HOUR_MS, end }),
  ];
  const recent = { ...noFilters, onlyRecent: true };
  const numbers = (filters: typeof recent): number[] =>
    shownRuns(runs, filters, nowMs).map(({ number }) => number);
  expect(numbers(recent)).toEqual([3, 1]);
  expect(numbers(noFilters)).toHaveLength(3);
  expect(numbers({ ...noFilters, text: "needs triage" })).toHaveLength(2);
  for (const filters of [noFilters, recent, { ...recent, batch: "b", text: "a b", isDescending: false }])
    expect(filtersOfQuery(queryOfFilters(filters))).toEqual(filters);
});

test("a run that waits again in the same words is announced again (B12)", () => {
  const clock = clockByHand();
  const announcer = new Announcer(clock);
  const announced: string[] = [];
  announcer.text.subscribe((text) => announced.push(text));
  for (let time = 1; time <= 2; time += 1) {
    announcer.tell("acme/widgets #1 waits for you");
    clock.advance(1_000);
  }
  expect(announced.filter((text) => text !== "")).toEqual(Array(2).fill("acme/widgets #1 waits for you"));
});

test("a run of a dead parent waits for nobody: it is not counted, announced or shown as waiting (B1)", () => {
  const waiting = row({ displayStatus: "needs_input" });
  const lost = { ...waiting, parentLost: { lastSeenAtMs: 1, remedy: "reap" } };
  const counted = [waiting, lost].map((run) => totalsOf([run], noFilters, 1));
  expect(counted).toMatchObject([
    { live: 1, waiting: 1, parentLost: 0 },
    { live: 0, waiting: 0, parentLost: 1 },
  ]);
  expect([waiting, lost].map((run) => newsOf(undefined, run, HOUR_MS))).toEqual([
    "acme/widgets #1 waits for you",
    null,
  ]);
  expect([waiting, lost].map((run) => label(shownStatus(run)))).toEqual(["waits for you", "parent lost"]);
});

test("the page says in everyday words that a run is not in the home, and shows other failures unchanged (B8)", () => {
  const refused = (code: string) => ({
    code,
    message: "there is no /api/runs/x",
    remedy: "See openapi.json",
  });
  for (const code of ["NOT_FOUND", "REQUEST_INVALID"]) {
    const { message, remedy } = whyNoRun(refused(code));
    expect(`${message} ${remedy}`).toContain("is not in this home");
    expect(`${message} ${remedy}`).not.toContain("api");
  }
  expect(whyNoRun(refused("STORE_CORRUPT"))).toEqual(refused("STORE_CORRUPT"));
});

test("the page says for a run without a terminal whether its Triage Agent was started (L10)", () => {
  const { document } = buildRun({
    runId: "20261121T053000Z",
    number: 1,
    title: "t",
    startedAtMs: 0,
    durationMs: 9,
  });
  const why = (phases: readonly string[], isRecorded: boolean): string =>
    whyNoTerminal({
      ...document,
      run: { ...document.run, end: null, phase: phases.at(-1) ?? "selected" },
      history: phases.map((phase, atMs) => ({ phase, atMs })),
      artifacts: isRecorded
        ? [{ kind: "recording", sizeBytes: 1, mediaType: "application/x-asciicast" }]
        : [],
    });
  expect(why(["selected", "preparing"], false)).toBe("Its Triage Agent has not started yet (preparing).");
  expect(why(["selected", "triaging", "settled"], false)).toBe(
    "The Session of its Triage Agent is no longer here, or is on another machine.",
  );
  expect(why(["selected", "triaging"], true)).toContain("Its recording is under Artifacts.");
});

test("a change that arrives while the list is being read is not overwritten by the older answer (B3)", async () => {
  const working = row({ displayStatus: "working" });
  const ended = { ...working, displayStatus: "terminated" as const };
  const answers: (() => void)[] = [];
  /** Answers are built when they are requested, and arrive when the test releases them. */
  const data = {
    runs: () =>
      new Promise((resolve) => {
        const answer = { runs: [working], total: 1, next: null, damaged: [], seq: 1 };
        answers.push(() => resolve(answer));
      }),
    totals: () => Promise.resolve(null),
  } as unknown as BoardData;
  const recounts: (() => void)[] = [];
  const clock: PageClock = {
    nowMs: () => 1,
    schedule: (_, action) => {
      recounts.push(action);
      return () => undefined;
    },
  };
  const list = new RunList(data, clock);
  const statuses = (): string[] => list.rows.value.map(({ displayStatus }) => displayStatus);
  const first = list.read();
  answers.shift()?.();
  await first;
  expect(statuses()).toEqual(["working"]);
  const again = list.read();
  list.apply([ended]);
  answers.shift()?.();
  await again;
  expect(statuses()).toEqual(["terminated"]);
  // The totals of that answer may be older than the change, too, so another count is scheduled.
  expect(recounts.length).toBeGreaterThan(0);
});

describe("the list of recent runs of an open page", () => {
  const nowMs = 100 * HOUR_MS;
  const ended = (number: number, hoursAgo: number) =>
    row({
      number,
      startedAtMs: nowMs - hoursAgo * HOUR_MS,
      durationMs: 1,
      end: { outcome: "needs-info" },
    });
  const all = [ended(1, 1), ended(2, 23), ended(3, 23.5)];

  /** Answers like the server, in pages of this many runs. */
  function openPage(pageSize: number): {
    list: RunList;
    numbers: () => number[];
    pass: (ms: number) => void;
  } {
    const clock = clockByHand(nowMs);
    const data = {
      source: "live",
      runs: async (filters: RunFilters, { after }: { after: string | null }) => {
        const shown = shownRuns(all, filters, clock.nowMs());
        const from = Number(after ?? 0);
        const end = from + pageSize;
        const next = end < shown.length ? String(end) : null;
        return { runs: shown.slice(from, end), total: shown.length, next, damaged: [], seq: 1 };
      },
      totals: async () => null,
    } as unknown as BoardData;
    const list = new RunList(data, clock);
    return {
      list,
      numbers: () => list.rows.value.map(({ number }) => number),
      pass: (ms) => clock.advance(ms),
    };
  }

  test.each([
    ["all of them are read at once", 100],
    ["they are read page by page", 1],
  ])("loses those that pass the limit while nothing else happens, when %s (B2)", async (_, pageSize) => {
    const { list, numbers, pass } = openPage(pageSize);
    list.show({ ...noFilters, onlyRecent: true });
    await setImmediate();
    while (numbers().length < list.total) await list.more(1);
    const seen = [[...numbers()]];
    for (const _hour of [1, 2]) {
      pass(0.75 * HOUR_MS);
      await setImmediate();
      seen.push([list.total, ...numbers()]);
    }
    expect(seen).toEqual([
      [1, 2, 3],
      [2, 1, 2],
      [1, 1],
    ]);
  });
});

test("a board that is read again during a read follows the changes only once (B3)", async () => {
  const answers: (() => void)[] = [];
  let follows = 0;
  const data = {
    batches: () =>
      new Promise((resolve) => answers.push(() => resolve({ batches: [], next: null, damaged: [], seq: 1 }))),
    runs: () => Promise.resolve({ runs: [], total: 0, next: null, damaged: [], seq: 1 }),
    totals: () => Promise.resolve(null),
    allowsControl: () => Promise.resolve(false),
    follow: () => {
      follows += 1;
      return () => undefined;
    },
  } as unknown as BoardData;
  // The address of the page decides the view when the module is loaded.
  vi.stubGlobal("window", { location: { hash: "" }, addEventListener: () => undefined });
  const { BoardModel } = await import("../../src/board/page/model/board-model.ts");
  const model = new BoardModel(data, { nowMs: () => 1, schedule: () => () => undefined });
  vi.unstubAllGlobals();
  const readings = [model.start(), model.start()];
  for (const answer of answers) answer();
  await Promise.all(readings);
  expect(follows).toBe(1);
});

test("after a truncation, a page continues with the lower sequences of another store (O21, B3)", async () => {
  // Another tab of this browser has the lock, and passes on the changes that it reads.
  const channel = Object.assign(new EventTarget(), { postMessage: () => undefined });
  vi.stubGlobal("navigator", { locks: { request: () => new Promise(() => undefined) } });
  vi.stubGlobal("BroadcastChannel", function () {
    return channel;
  });
  const told: string[] = [];
  new SharedChanges({ nowMs: () => 1, schedule: () => () => undefined }).follow(500, {
    item: (change) => told.push(change.type === "run" ? `run ${change.run.number}` : change.type),
    connection: () => undefined,
  });
  vi.unstubAllGlobals();
  const run = (number: number): ChangeEvent => ({ type: "run", run: row({ number }) });
  const changes: [number, ChangeEvent][] = [
    [501, run(1)],
    [500, run(2)],
    [6, { type: "truncated" }],
    [6, run(3)],
    [7, run(4)],
    [502, run(9)],
  ];
  for (const [seq, change] of changes)
    channel.dispatchEvent(new MessageEvent("message", { data: { type: "change", seq, change } }));
  expect(told).toEqual(["run 1", "truncated", "run 4", "run 9"]);
});
