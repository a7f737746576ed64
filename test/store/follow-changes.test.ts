import { array, assert, asyncProperty, constantFrom, integer } from "fast-check";
import Libsql from "libsql";
import { expect, test } from "vitest";
import { followChanges, type FollowedChange, openStore, type Store } from "../../src/store/index.ts";
import { recordBatch, RUN_ID, type StoreFixture, storeFixture, triageRun } from "./store-fixture.ts";

/** Returns the next `count` changes of a follower from `cursor`, as strings. */
async function follow(fixture: StoreFixture, store: Store, cursor: number, count: number): Promise<string[]> {
  const stop = new AbortController();
  const words: string[] = [];
  const options = { cursor, clock: fixture.clock, signal: stop.signal, batchSize: 2 };
  for await (const followed of followChanges(store, options)) {
    words.push(word(followed));
    if (words.length === count) stop.abort(new Error("enough"));
  }
  return words;
}

function word(followed: FollowedChange): string {
  return followed.type === "truncated"
    ? `truncated to ${followed.seq}`
    : `${followed.change.seq} ${followed.change.type}`;
}

test("a follower receives every change after its cursor in order, and none for a no-op write (O21)", async () => {
  await using fixture = await storeFixture();
  using store = await fixture.open();
  recordBatch(store);
  for (const number of [1, 1, 2, 2, 3]) store.saveRun(triageRun(number));
  const all = ["1 batch-recorded", "2 run-recorded", "3 run-recorded", "4 run-recorded"];
  expect(await follow(fixture, store, 0, 4)).toEqual(all);
  expect(await follow(fixture, store, 2, 2)).toEqual(all.slice(2));
});

test("a follower receives changes of another connection and stops when aborted (O21)", async () => {
  await using fixture = await storeFixture();
  using store = await fixture.open();
  using other = await fixture.open();
  const stop = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    const options = { cursor: 0, clock: fixture.clock, signal: stop.signal, intervalMs: 100 };
    for await (const followed of followChanges(store, options)) seen.push(word(followed));
  })();
  await fixture.clock.advance(1_000);
  expect(seen).toEqual([]);
  recordBatch(other);
  await fixture.clock.advance(100);
  expect(seen).toEqual(["1 batch-recorded"]);
  stop.abort(new Error("over"));
  await following;
});

test("a follower of a busy store retries, and a follower of a damaged store throws (O21)", async () => {
  await using fixture = await storeFixture();
  using store = await fixture.open();
  recordBatch(store);
  let refusals = 2;
  const busy: Store = {
    ...store,
    changesSince: (cursor, limit) => {
      refusals -= 1;
      if (refusals < 0) return store.changesSince(cursor, limit);
      const connection = new Libsql(fixture.path);
      connection.exec("BEGIN IMMEDIATE");
      try {
        store.finishBatch(RUN_ID, {});
        return [];
      } finally {
        connection.close();
      }
    },
  };
  const following = follow(fixture, busy, 0, 1);
  await fixture.clock.advance(1_000);
  expect(await following).toEqual(["1 batch-recorded"]);
  const connection = new Libsql(fixture.path);
  connection.exec("UPDATE change_log SET change = 'lunch'");
  connection.close();
  await expect(follow(fixture, store, 0, 1)).rejects.toMatchObject({ code: "STORE_CORRUPT" });
});

test("the log keeps the latest changes, and a follower that is too late or has another file's cursor receives `truncated` (O21)", async () => {
  await using fixture = await storeFixture();
  using store = await openStore({ path: fixture.path, clock: fixture.clock, keptChanges: 2 });
  recordBatch(store);
  for (const number of [1, 2, 3]) store.saveRun(triageRun(number));
  recordBatch(store, "20260102T000000Z");
  expect(store.changesSince(0, 10).map(({ seq }) => seq)).toEqual([4, 5]);
  expect(await follow(fixture, store, 1, 3)).toEqual([
    "truncated to 3",
    "4 run-recorded",
    "5 batch-recorded",
  ]);
  expect(await follow(fixture, store, 3, 1)).toEqual(["4 run-recorded"]);
  expect(await follow(fixture, store, 99, 1)).toEqual(["truncated to 5"]);
  expect(store.lastChange()).toBe(5);
});

test("a reader that is restarted at any point sees every change exactly once (O21)", async () => {
  await assert(
    asyncProperty(
      array(integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 }),
      array(constantFrom(1, 2, 3), { maxLength: 6 }),
      async (numbers, portions) => {
        await using fixture = await storeFixture();
        using store = await fixture.open();
        recordBatch(store);
        for (const number of numbers) store.saveRun(triageRun(number));
        const last = store.lastChange();
        const seen: string[] = [];
        for (const portion of [...portions, last]) {
          const left = last - seen.length;
          if (left > 0) seen.push(...(await follow(fixture, store, seen.length, Math.min(portion, left))));
        }
        expect(seen.map((text) => Number.parseInt(text, 10))).toEqual(
          Array.from({ length: last }, (_, index) => index + 1),
        );
      },
    ),
    { numRuns: 10 },
  );
});
