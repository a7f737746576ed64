import { once } from "node:events";
import { connect } from "node:net";
import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import { ChangeHub } from "../../src/board/server/change-hub.ts";
import { boardLimits } from "../../src/board/server/limits.ts";
import { BEARER, type BoardStage, boardStage, rawRequest, readChanges } from "./board-stage.ts";
import { type FakeSource, fakeSource, RUN_ID, runRow } from "./fake-source.ts";
import { poll } from "../support/batch/poll.ts";

type Reader = Awaited<ReturnType<typeof readChanges>>;

async function take(reader: Reader, count: number): Promise<string[]> {
  const seen: string[] = [];
  while (seen.length < count) {
    const next = await reader.next();
    if (next === null) break;
    const { number } = (next.data as { run?: { number: number } }).run ?? { number: "" };
    seen.push(`${next.id ?? "-"} ${next.event} ${number}`.trim());
  }
  return seen;
}

function changes(source: FakeSource, ...numbers: number[]): void {
  for (const number of numbers) source.change(runRow(number));
}

const resumed = (id: number) => ({ "Last-Event-ID": String(id) });

test("a reader receives every change after its sequence once, in order, and then new ones (O21, O22)", async () => {
  const source = fakeSource();
  changes(source, 1, 2, 3);
  await using stage = await boardStage(source);
  await using reader = await readChanges(stage, "/api/changes?after=1");
  expect(await take(reader, 2)).toEqual(["2 run 2", "3 run 3"]);
  changes(source, 4);
  expect(await take(reader, 1)).toEqual(["4 run 4"]);
});

test("a reader without a sequence receives only new changes, and Last-Event-ID overrides the address (O21)", async () => {
  const source = fakeSource();
  changes(source, 1, 2);
  await using stage = await boardStage(source);
  await using fresh = await readChanges(stage);
  await using back = await readChanges(stage, "/api/changes?after=0", resumed(1));
  expect(await take(back, 1)).toEqual(["2 run 2"]);
  changes(source, 3);
  expect([await take(fresh, 1), await take(back, 1)]).toEqual([["3 run 3"], ["3 run 3"]]);
});

test("one follower of the log serves all readers and stops when the last reader leaves (O21)", async () => {
  const source = fakeSource();
  changes(source, 1);
  await using stage = await boardStage(source);
  const readers = await Promise.all(
    Array.from({ length: 8 }, () => readChanges(stage, "/api/changes?after=1")),
  );
  const told = Promise.all(readers.map((reader) => take(reader, 1)));
  await poll("the follower", () => source.followers === 1);
  changes(source, 2);
  expect(new Set((await told).flat())).toEqual(new Set(["2 run 2"]));
  expect([source.followers, source.followed]).toEqual([1, 1]);
  await Promise.all(readers.map((reader) => reader[Symbol.asyncDispose]()));
  await poll("the follower's end", () => source.followers === 0);
});

test("a reader that is behind the kept changes reads the log itself and misses nothing (O21)", async () => {
  const source = fakeSource();
  await using stage = await boardStage(source, { limits: { keptChanges: 3 } });
  await using ahead = await readChanges(stage, "/api/changes?after=0");
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
  const all = numbers.map((number) => `${number} run ${number}`);
  const first = take(ahead, 20);
  await poll("the follower", () => source.followers > 0);
  changes(source, ...numbers);
  expect(await first).toEqual(all);
  await using late = await readChanges(stage, "/api/changes", resumed(2));
  expect(await take(late, 18)).toEqual(all.slice(2));
  changes(source, 21);
  expect([await take(ahead, 1), await take(late, 1)]).toEqual([["21 run 21"], ["21 run 21"]]);
});

test("a reader receives every change once across disconnects and restarts of the board (O22)", async () => {
  const source = fakeSource();
  const all: string[] = [];
  let last = 0;
  for (let round = 1; round <= 4; round += 1) {
    await using stage: BoardStage = await boardStage(source, { limits: { keptChanges: 2 } });
    for (const readNow of [1, 2]) {
      changes(source, 10 * round + readNow, 10 * round + readNow + 4);
      await using reader = await readChanges(stage, "/api/changes?after=0", last === 0 ? {} : resumed(last));
      const seen = await take(reader, readNow);
      all.push(...seen);
      last = Number(seen.at(-1)?.split(" ")[0]);
    }
  }
  expect(all).toEqual(
    source.log
      .slice(0, all.length)
      .map(({ seq, event }) => (event.type === "run" ? `${seq} run ${event.run.number}` : "")),
  );
});

test("a cursor from another store gets `truncated` and then the new changes (O22)", async () => {
  const source = fakeSource();
  changes(source, 1, 2);
  await using stage = await boardStage(source);
  await using reader = await readChanges(stage, "/api/changes", resumed(900));
  expect(await take(reader, 1)).toEqual(["2 truncated"]);
  changes(source, 3);
  expect(await take(reader, 1)).toEqual(["3 run 3"]);
});

test("heartbeat comments are sent during silence (O22)", async () => {
  await using stage = await boardStage(fakeSource(), { limits: { heartbeatMs: 20 } });
  await using reader = await readChanges(stage);
  void reader.next();
  const comments = await poll("heartbeats", () => (reader.comments.length >= 2 ? reader.comments : null));
  expect(new Set(comments)).toEqual(new Set([": still here"]));
});

test("changes that are caused only by the passing of time are published without a sequence to resume from (L8, L9, O20)", async () => {
  const source = fakeSource();
  const clock = createVirtualClock(1_000_000);
  source.live = [runRow()];
  changes(source, 7);
  await using stage = await boardStage(source, { clock });
  await using reader = await readChanges(stage, "/api/changes?after=1");
  const told = reader.next();
  await poll("the follower", () => source.followers === 1);
  await clock.advance(2_000);
  source.live = [
    runRow(7, { displayStatus: "needs_input", indicator: { symbol: "🟠", name: "stale", isPulsing: false } }),
  ];
  await clock.advance(2_000);
  expect(await told).toMatchObject({
    id: null,
    event: "run",
    data: { run: { displayStatus: "needs_input", indicator: { name: "stale" } } },
  });
});

test("a derived value never replaces a newer value from the log, and is derived again (B1)", async () => {
  const source = fakeSource();
  const clock = createVirtualClock(1_000_000);
  const [open = expect.unreachable("a batch")] = (await source.batches({ limit: 1, after: null })).batches;
  source.live = [runRow()];
  let unfinished = [open];
  let isParentSlow = false;
  let parentAnswers = (): void => undefined;
  source.unfinishedBatches = async () => {
    const read = unfinished;
    if (isParentSlow) await new Promise<void>((resolve) => (parentAnswers = resolve));
    return read;
  };
  await using hub = new ChangeHub({
    source,
    clock,
    limits: boardLimits,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const left = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const told of hub.read(0, left.signal)) {
      if (told?.event.type === "run") seen.push(`run ${told.event.run.number}`);
      if (told?.event.type === "batch") {
        const { totals, finishedAtMs } = told.event.batch;
        seen.push(`${totals.applied} applied, ${finishedAtMs === null ? "under way" : "finished"}`);
      }
    }
  })();
  await poll("the follower", () => source.followers === 1);
  const derive = () => clock.advance(boardLimits.rederiveMs);
  const totals = { ...open.totals, applied: 1 };
  /** While the rows of a derivation are read, the log tells of the batch, and of a run. */
  const deriveDuring = async (batch: typeof open, number: number): Promise<void> => {
    isParentSlow = true;
    await derive();
    isParentSlow = false;
    source.log.push({ seq: (source.log.at(-1)?.seq ?? 0) + 1, event: { type: "batch", batch } });
    source.change(runRow(number));
    await poll("the log", () => seen.includes(`run ${number}`));
    parentAnswers();
  };
  // Newer than what the log tells, which was read before.
  unfinished = [{ ...open, totals }];
  await deriveDuring(open, 1);
  await derive();
  await poll("another derivation", () => seen.at(-1) === "1 applied, under way");
  // Older than the end that the log tells.
  unfinished = [{ ...open, totals: { ...totals, applied: 2 } }];
  await deriveDuring({ ...open, totals: { ...totals, applied: 2 }, finishedAtMs: 5 }, 2);
  unfinished = [];
  await derive();
  source.change(runRow(3));
  await poll("the log", () => seen.includes("run 3"));
  left.abort();
  await reading;
  expect(seen).toEqual([
    "0 applied, under way",
    "run 1",
    "1 applied, under way",
    "2 applied, finished",
    "run 2",
    "run 3",
  ]);
});

test("readers beyond the limit are refused, and a freed place can be used again (O22)", async () => {
  await using stage = await boardStage(fakeSource(), { limits: { changeReaders: 2 } });
  await using _first = await readChanges(stage);
  const second = await readChanges(stage);
  const refused = await stage.get("/api/changes");
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { error: { code: "TOO_MANY_READERS" } },
  ]);
  await second[Symbol.asyncDispose]();
  const third = await poll("a place", () => readChanges(stage).catch(() => null));
  await third[Symbol.asyncDispose]();
});

test("a HEAD request takes no reader's place and leaves no file open (B6, O22)", async () => {
  const source = fakeSource();
  await using stage = await boardStage(source, { limits: { changeReaders: 1 } });
  const head = (path: string) => rawRequest(stage.board, path, { method: "HEAD", headers: BEARER });
  expect([await head("/api/changes"), await head("/api/changes")]).toMatchObject([
    { status: 200, text: "" },
    { status: 200, text: "" },
  ]);
  await using _reader = await readChanges(stage);
  const artifact = await head(`/api/runs/${encodeURIComponent(RUN_ID)}/artifacts/comment`);
  expect(artifact).toMatchObject({ status: 200, headers: { "content-length": "5" } });
  expect(source.asked).toEqual(["closed"]);
});

test("when the log cannot be read, the reader's place is freed, and the failure is reported without internals (B3, S18)", async () => {
  const whole = fakeSource();
  changes(whole, 1, 2);
  const failure = new Error("/home/secret/store.sqlite: disk I/O error");
  let broken: "nothing" | "log" | "store" = "log";
  const source: FakeSource = {
    ...whole,
    lastChange: () => (broken === "store" ? Promise.reject(failure) : whole.lastChange()),
    changes: async function* (cursor, signal) {
      if (broken !== "nothing") throw failure;
      yield* whole.changes(cursor, signal);
    },
  };
  await using stage = await boardStage(source, { limits: { changeReaders: 1 } });
  for (const _ of [1, 2, 3]) {
    const answer = await stage.get("/api/changes?after=1");
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringMatching(/^retry: 1000\n\n: [a-z ]+\n\n$/),
    ]);
  }
  expect(new Set(stage.failures)).toEqual(new Set([failure]));
  broken = "store";
  const refused = await stage.get("/api/changes", resumed(1));
  expect([refused.status, refused.headers.get("Content-Type")]).toEqual([500, "application/problem+json"]);
  expect(await refused.text()).not.toContain("secret");
  broken = "nothing";
  await using reader = await readChanges(stage, "/api/changes", resumed(1));
  expect(await take(reader, 1)).toEqual(["2 run 2"]);
});

test("a closing board notifies its readers and ends their streams (O22)", async () => {
  const stage = await boardStage(fakeSource());
  await using reader = await readChanges(stage);
  const end = reader.next();
  await stage[Symbol.asyncDispose]();
  expect(await end).toBeNull();
  expect(reader.comments.at(-1)).toContain("closing");
});

test("a closing board does not wait for a connection without a request (O22)", async () => {
  // This clock stands still, so the board would wait forever for a connection that it does not close at once.
  const stage = await boardStage(fakeSource(), { clock: createVirtualClock(0) });
  const socket = connect(stage.board.port, "127.0.0.1");
  const closed = once(socket, "close");
  await once(socket, "connect");
  expect((await stage.get("/api/health")).status).toBe(200);
  await stage[Symbol.asyncDispose]();
  await closed;
});
