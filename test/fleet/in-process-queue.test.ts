import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import Libsql from "libsql";
import { expect, test } from "vitest";
import { z } from "zod";
import { openInProcessQueue, openSqliteSql, type Sql } from "../../src/fleet/index.ts";
import { poll } from "../support/batch/poll.ts";
import { describeQueue, manualWorker, wanted } from "../support/fleet/queue-contract.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const quiet = { clock: systemClock, onFailure: () => undefined };

describeQueue("the queue of one process", async (caps) => {
  const directory = await temporaryDirectory();
  const sql = await openSqliteSql(join(directory.path, "fleet.sqlite"), systemClock);
  return {
    sql,
    queue: await openInProcessQueue(sql, { ...quiet, caps }),
    again: (other) => openInProcessQueue(sql, { ...quiet, caps: other }),
    [Symbol.asyncDispose]: async () => {
      await sql[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
});

/** A queue file on a disk that is full while `isFull` is true. */
function fillable(sql: Sql): { sql: Sql; isFull: boolean } {
  const disk = { isFull: false };
  const rows: Sql["rows"] = (schema, statement, ...values) =>
    disk.isFull && !statement.startsWith("select")
      ? Promise.reject(new Error("database or disk is full"))
      : sql.rows(schema, statement, ...values);
  return Object.assign(disk, { sql: { ...sql, rows } });
}

test("visits that were waiting or running when the process died are queued again when the file is opened (F2)", async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "fleet.sqlite");
  const caps = { perRepository: 3, perOwner: null };
  await using before = await openSqliteSql(path, systemClock);
  const queue = await openInProcessQueue(before, { ...quiet, caps });
  for (const number of [1, 2, 4]) await queue.enqueue(wanted(1, number));
  await using worker = manualWorker(queue, 1);
  await poll("one visit", () => worker.begun.length === 1);
  expect(await queue.state()).toMatchObject({ running: 1, workers: 1 });
  // The visit is still stored as running, as it is after a SIGKILL.
  await using after = await openSqliteSql(path, systemClock);
  const later = await openInProcessQueue(after, { ...quiet, caps });
  // A process that only reads the queue, as `fleet --status` does, is not a worker.
  expect(await later.state()).toMatchObject({ waiting: 3, running: 0, workers: 0 });
});

test("a visit that fails for days, because GitHub refuses the token, is retried without end (F1)", async () => {
  await using directory = await temporaryDirectory();
  await using sql = await openSqliteSql(join(directory.path, "fleet.sqlite"), systemClock);
  const queue = await openInProcessQueue(sql, { ...quiet, caps: { perRepository: 3, perOwner: null } });
  await queue.enqueue(wanted(1, 1));
  // This is the state after four months: the wait between two attempts is six hours at most.
  await sql.rows(z.unknown(), "update fleet_visit set attempt = 500");
  await using worker = manualWorker(queue, 1);
  await poll("the visit", () => worker.begun.length === 1);
  worker.end("1#1", new Error("GITHUB_TOKEN_REJECTED"));
  await poll("its end", async () => (await queue.state()).running === 0);
  expect(await queue.state()).toMatchObject({ waiting: 1 });
});

test("on a full disk the other visits continue, and ends of visits are stored once there is space (F2, T5)", async () => {
  await using directory = await temporaryDirectory();
  await using sql = await openSqliteSql(join(directory.path, "fleet.sqlite"), systemClock);
  const disk = fillable(sql);
  const failures: string[] = [];
  const onFailure = (message: string): void => void failures.push(message);
  const caps = { perRepository: 3, perOwner: null };
  const queue = await openInProcessQueue(disk.sql, { clock: systemClock, onFailure, caps });
  for (const number of [1, 2]) await queue.enqueue(wanted(1, number));
  await using worker = manualWorker(queue, 3);
  await poll("both visits", () => worker.begun.length === 2);
  disk.isFull = true;
  worker.end("1#1", { type: "again", delayMs: 0 });
  await poll("an end that cannot be stored", () => failures.some((one) => one.includes("1#1")));
  expect(worker.isOver()).toBe(false);
  expect(worker.running()).toEqual(["1#2"]);
  disk.isFull = false;
  await poll("the first visit again", () => worker.begun.length === 3);
  expect(worker.begun[2]).toBe("1#1");
  expect(worker.held.get("1#1")?.attempt).toBe(1);
});

test("a worker that is stopped while the disk is full ends, and the next process repeats its visit (F2)", async () => {
  await using directory = await temporaryDirectory();
  await using sql = await openSqliteSql(join(directory.path, "fleet.sqlite"), systemClock);
  const disk = fillable(sql);
  const caps = { perRepository: 3, perOwner: null };
  const queue = await openInProcessQueue(disk.sql, { ...quiet, caps });
  await queue.enqueue(wanted(1, 1));
  await using worker = manualWorker(queue, 1);
  await poll("the visit", () => worker.begun.length === 1);
  disk.isFull = true;
  worker.stop();
  worker.end("1#1");
  await poll("the end of the work", () => worker.isOver());
  const later = await openInProcessQueue(sql, { ...quiet, caps });
  expect(await later.state()).toMatchObject({ waiting: 1, running: 0 });
});

test("a write after another program has held a lock for too long is committed, and releases the lock (F1, F2, F5)", async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "fleet.sqlite");
  await using sql = await openSqliteSql(path, systemClock, 100);
  const queue = await openInProcessQueue(sql, { ...quiet, caps: { perRepository: 3, perOwner: null } });
  const other = new Libsql(path);
  other.exec("BEGIN IMMEDIATE");
  await expect(queue.enqueue(wanted(1, 1))).rejects.toMatchObject({ code: "STORE_UNWRITABLE" });
  // Reading waits for no lock.
  expect(await queue.state()).toMatchObject({ waiting: 0 });
  other.exec("ROLLBACK");
  await queue.enqueue(wanted(1, 2));
  expect(other.prepare("select visit_key from fleet_visit").all()).toEqual([{ visit_key: "1#2" }]);
  other.exec("BEGIN IMMEDIATE; ROLLBACK");
  other.close();
});

test("taking a visit searches indexes and neither reads nor sorts all the waiting visits (F1, F2, F3)", async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "fleet.sqlite");
  await using sql = await openSqliteSql(path, systemClock);
  const claims: string[] = [];
  const rows: Sql["rows"] = (schema, statement, ...values) => {
    if (statement.startsWith("update fleet_visit") && statement.includes("limit 1")) claims.push(statement);
    return sql.rows(schema, statement, ...values);
  };
  const caps = { perRepository: 3, perOwner: null };
  const queue = await openInProcessQueue({ ...sql, rows }, { ...quiet, caps });
  await queue.enqueue(wanted(1, 1));
  await using worker = manualWorker(queue, 1);
  await poll("one visit", () => worker.begun.length === 1);
  const file = new Libsql(path);
  const plan = file.prepare(`explain query plan ${claims[0]?.replace("$1", "0")}`).all() as {
    detail: string;
  }[];
  file.close();
  const details = plan.map(({ detail }) => detail);
  expect(details.filter((detail) => /^(SCAN|USE TEMP B-TREE)/.test(detail))).toEqual([]);
  expect(details).toContainEqual(expect.stringMatching(/^SEARCH waiting .*\(state=\?\)/));
  expect(details).toContainEqual(expect.stringMatching(/^SEARCH running .*\(state=\? AND slot=\?\)/));
});
