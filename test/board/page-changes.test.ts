import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { ChangeEvent, RunRowDocument } from "../../src/board/api/index.ts";
import type { BoardData, Connection, Follower } from "../../src/board/page/data/board-data.ts";
import { followChanges } from "../../src/board/page/data/follow-changes.ts";
import { poll } from "../support/batch/poll.ts";
import { clockByHand } from "./clock-by-hand.ts";
import { runRow } from "./fake-source.ts";

test("a stream without a sign of life for three heartbeats counts as lost, and is asked for again (B3)", async () => {
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

test("what is derived of runs in progress is read again with every connection (B1, C1)", async () => {
  const clock = clockByHand();
  const lost = { lastSeenAtMs: 2, remedy: "Run `afk-triage reap`." };
  let rows: RunRowDocument[] = [runRow(1), runRow(2), runRow(3)];
  let follower: Follower<ChangeEvent> | null = null;
  const data = {
    source: "live",
    batches: async () => ({ batches: [], next: null, damaged: [], seq: 1 }),
    runs: async ({ onlyLive }: { onlyLive: boolean }) => {
      // The first page of the list is another one than that of the runs in progress.
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
  // What is told after the question is newer than its answer.
  const newest = runRow(2, { displayStatus: "terminated" });
  told().item({ type: "run", run: newest });
  // The answers are there already.
  await setImmediate();
  clock.advance(100);
  vi.unstubAllGlobals();
  const statuses = rows.map(({ id }) => model.runs.get(id)?.displayStatus);
  expect(statuses).toEqual(["no_signal", "terminated", "no_signal"]);
  expect(model.runs.get(rows[0]?.id ?? "")?.parentLost).toEqual(lost);
});
