import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { ChangeEvent, RunRowDocument } from "../../src/board/api/index.ts";
import { connectionWords } from "../../src/board/page/chrome/connection-words.ts";
import {
  type BoardData,
  BoardFailure,
  type Connection,
  type Failure,
  type Follower,
} from "../../src/board/page/data/board-data.ts";
import { followChanges } from "../../src/board/page/data/follow-changes.ts";
import { pauseBeforeReadingAgain } from "../../src/board/page/model/reading-again.ts";
import { noFilters } from "../../src/board/page/selection/filters.ts";
import { poll } from "../support/batch/poll.ts";
import { clockByHand } from "./clock-by-hand.ts";
import { runRow } from "./fake-source.ts";

test("a stream without a sign of life for three heartbeats counts as lost, and the page reconnects (B3)", async () => {
  const clock = clockByHand();
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  vi.stubGlobal("window", { addEventListener: () => undefined, removeEventListener: () => undefined });
  vi.stubGlobal("fetch", async (_path: string, { signal }: { signal: AbortSignal }) => {
    const start = (stream: ReadableStreamDefaultController<Uint8Array>): void => {
      streams.push(stream);
      signal.addEventListener("abort", () => stream.error(signal.reason));
    };
    return new Response(new ReadableStream({ start }));
  });
  const seen: Connection["type"][] = [];
  const unfollow = followChanges(clock, 1, {
    item: () => undefined,
    connection: ({ type }) => void seen.push(type),
  });
  await poll("the connection", () => seen.at(-1) === "open");
  for (let heartbeats = 0; heartbeats < 5; heartbeats += 1) {
    clock.advance(40_000);
    streams[0]?.enqueue(new TextEncoder().encode(": still here\n\n"));
    await poll("the heartbeat", () => clock.soonestMs() === 45_000);
  }
  expect(seen).toEqual(["open"]);
  clock.advance(46_000);
  await poll("the loss", () => seen.at(-1) === "lost");
  clock.advance(500);
  await poll("another connection", () => seen.at(-1) === "open");
  expect([seen, streams.length]).toEqual([["open", "lost", "open"], 2]);
  unfollow();
  vi.unstubAllGlobals();
});

/** Answers every request by the list: a refusal of the board, or a stream that stays open. */
function answerWith(answers: readonly { status: number; code: string; retryAfterS?: number }[]): void {
  const left = [...answers];
  vi.stubGlobal("window", { addEventListener: () => undefined, removeEventListener: () => undefined });
  vi.stubGlobal("fetch", async () => {
    const refusal = left.shift();
    if (refusal === undefined) return new Response(new ReadableStream());
    const { status, code, retryAfterS } = refusal;
    return Response.json(
      { status, error: { code, message: `saw ${code}`, remedy: "look" } },
      { status, headers: retryAfterS === undefined ? {} : { "Retry-After": String(retryAfterS) } },
    );
  });
}

test("the changes are asked for again after every failure of the server, and after no refusal (B3, B6)", async () => {
  const clock = clockByHand();
  answerWith([
    { status: 500, code: "INTERNAL_ERROR" },
    { status: 503, code: "STORE_UNWRITABLE", retryAfterS: 5 },
    { status: 500, code: "STORE_CORRUPT" },
    { status: 403, code: "ORIGIN_REFUSED" },
  ]);
  const seen: string[] = [];
  const unfollow = followChanges(clock, 1, {
    item: () => undefined,
    connection: (connection) => {
      const reason = "failure" in connection ? ` ${connection.failure?.message}` : "";
      seen.push(`${connection.type}${reason}`);
    },
  });
  const pauses: number[] = [];
  for (;;) {
    await poll("an answer", () => seen.length > pauses.length);
    pauses.push(clock.soonestMs());
    if (clock.soonestMs() === Infinity) break;
    clock.advance(clock.soonestMs());
  }
  expect(seen).toEqual([
    "lost saw INTERNAL_ERROR",
    "lost saw STORE_UNWRITABLE",
    "lost saw STORE_CORRUPT",
    "refused saw ORIGIN_REFUSED",
  ]);
  expect(pauses).toEqual([500, 5_000, 2_000, Infinity]);
  unfollow();
  vi.unstubAllGlobals();
});

test("a board whose server fails is read again when the server says, and one that refuses is not (B3)", () => {
  const pauseAfter = (failure: Partial<Failure>, failures = 1): number => {
    const clock = clockByHand();
    const error = new BoardFailure({ code: "X", message: "m", remedy: "r", ...failure });
    pauseBeforeReadingAgain(clock, failures, error, () => undefined);
    return clock.soonestMs();
  };
  expect(pauseAfter({ code: "BOARD_UNREACHABLE" })).toBe(1_000);
  expect(pauseAfter({ status: 503, retryAfterMs: 5_000 })).toBe(5_000);
  expect(pauseAfter({ status: 503, retryAfterMs: 5_000 }, 9)).toBe(15_000);
  expect(pauseAfter({ status: 500 })).toBe(1_000);
  expect([pauseAfter({ status: 403 }), pauseAfter({})]).toEqual([Infinity, Infinity]);
});

test("the header says that a reader is signed out only when the token is refused (B3, B8)", async () => {
  const { model } = await boardByHand();
  const words = (code: string | null): string => {
    const failure = { code: code ?? "", message: "m", remedy: "r" };
    model.connection.value = code === null ? { type: "open" } : { type: "refused", failure };
    return connectionWords(model.connection.value, model.signedOut.value !== null).join(", ");
  };
  expect(["TOKEN_MISSING", "TOKEN_WRONG", "ORIGIN_REFUSED", null].map(words)).toEqual([
    "signed out, bad",
    "signed out, bad",
    "no updates, bad",
    "live, good",
  ]);
});

test("derived values of runs in progress are re-read on every connection (B1, C1)", async () => {
  const clock = clockByHand();
  const lost = { lastSeenAtMs: 2, remedy: "Run `afk-triage reap`." };
  let rows: RunRowDocument[] = [runRow(1), runRow(2), runRow(3)];
  let follower: Follower<ChangeEvent> | null = null;
  const data = {
    source: "live",
    batches: async () => ({ batches: [], next: null, damaged: [], seq: 1 }),
    runs: async ({ onlyLive }: { onlyLive: boolean }) => {
      // The first page of the list differs from that of the runs in progress.
      const runs = onlyLive ? rows : rows.slice(0, 2);
      return { runs, total: 3, next: null, damaged: [], seq: 1 };
    },
    totals: async () => null,
    allowsControl: async () => false,
    follow: (_: number, given: Follower<ChangeEvent>) => {
      follower = given;
      return () => undefined;
    },
  } as unknown as BoardData;
  vi.stubGlobal("window", { location: { hash: "" }, addEventListener: () => undefined });
  const { BoardModel } = await import("../../src/board/page/model/board-model.ts");
  const model = new BoardModel(data, clock);
  await model.start();
  const told = (): Follower<ChangeEvent> => {
    if (follower === null) throw new Error("nobody follows");
    return follower;
  };
  told().connection({ type: "open" });
  told().item({ type: "run", run: runRow(3, { surface: "idle" }) });
  clock.advance(100);
  told().connection({ type: "lost", retryAtMs: 1, retryNow: () => undefined });
  rows = rows.map((row) => ({ ...row, displayStatus: "no_signal", parentLost: lost }));
  told().connection({ type: "open" });
  // An event that arrives after the request is newer than the response.
  const newest = runRow(2, { displayStatus: "terminated" });
  told().item({ type: "run", run: newest });
  // The answers are already available; this lets the model read them.
  await setImmediate();
  clock.advance(100);
  vi.unstubAllGlobals();
  const statuses = rows.map(({ id }) => model.runs.get(id)?.displayStatus);
  expect(statuses).toEqual(["no_signal", "terminated", "no_signal"]);
  expect(model.runs.get(rows[0]?.id ?? "")?.parentLost).toEqual(lost);
});

/** A board whose list answers when the test lets it, and whose changes the test tells. */
async function boardByHand() {
  const clock = clockByHand();
  let row = runRow(1);
  let follower: Follower<ChangeEvent> | null = null;
  const answers: (() => void)[] = [];
  const data = {
    source: "live",
    batches: async () => ({ batches: [], next: null, damaged: [], seq: 1 }),
    runs: (_: unknown, __: unknown, stop: AbortSignal) =>
      new Promise((resolve, reject) => {
        stop.addEventListener("abort", () => reject(stop.reason as Error));
        answers.push(() => resolve({ runs: [row], total: 1, next: null, damaged: [], seq: 1 }));
      }),
    totals: async () => null,
    allowsControl: async () => false,
    follow: (_: number, given: Follower<ChangeEvent>) => {
      follower = given;
      return () => void (follower = null);
    },
  } as unknown as BoardData;
  vi.stubGlobal("window", { location: { hash: "" }, addEventListener: () => undefined });
  const { BoardModel } = await import("../../src/board/page/model/board-model.ts");
  const model = new BoardModel(data, clock);
  vi.unstubAllGlobals();
  return {
    model,
    follower: () => follower,
    change: (now: RunRowDocument) => (row = now),
    tell: (event: ChangeEvent) => {
      follower?.item(event);
      clock.advance(100);
    },
    answer: async () => {
      for (const answer of answers.splice(0)) answer();
      await setImmediate();
    },
  };
}

test("after a gap in the changes a run is shown as it was read, not as it had changed before (B1, B2)", async () => {
  const { model, change, tell, answer } = await boardByHand();
  void model.start();
  await answer();
  tell({ type: "run", run: runRow(1, { surface: "idle" }) });
  const ended = runRow(1, { displayStatus: "terminated", settledAtMs: 5_000 });
  change(ended);
  tell({ type: "truncated" });
  await answer();
  expect([model.gaps.value, model.runs.get(ended.id)]).toEqual([1, ended]);
});

test("a board whose filters change while it is read shows the filtered runs and follows the changes (B2)", async () => {
  const { model, follower, answer } = await boardByHand();
  void model.start();
  model.runs.show({ ...noFilters, text: "first" });
  await setImmediate();
  expect(model.reading.value).toEqual({ type: "reading" });
  await answer();
  expect([model.reading.value, model.runs.total, follower() === null]).toEqual([{ type: "read" }, 1, false]);
});
