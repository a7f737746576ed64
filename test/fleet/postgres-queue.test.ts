import { systemClock, systemIds } from "agent-tty/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type FleetCaps,
  followedRepositories,
  migrateFleet,
  openPostgresQueue,
  openPostgresSql,
  reconcilingPoll,
  type VisitQueue,
} from "../../src/fleet/index.ts";
import { poll } from "../support/batch/poll.ts";
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
  withoutPostgres,
} from "../support/fleet/postgres.ts";
import { fillDisk } from "../support/fleet/full-disk.ts";
import { startSilentProxy } from "../support/fleet/silent-proxy.ts";
import { describeQueue, manualWorker, wanted } from "../support/fleet/queue-contract.ts";

let server: PostgresServer;
let databases = 0;

describe.skipIf(postgresPrograms === null)(`PostgreSQL${withoutPostgres}`, { timeout: 60_000 }, () => {
  beforeAll(async () => {
    server = await startPostgres();
    await migrateFleet(await newDatabase(false));
  });
  afterAll(() => server[Symbol.asyncDispose]());

  describeQueue("the queue in PostgreSQL", async (caps) => {
    const url = await newDatabase();
    const sql = openPostgresSql(url);
    return {
      sql,
      queue: queueAt(url, sql, caps),
      again: (other) => Promise.resolve(queueAt(url, sql, other)),
      [Symbol.asyncDispose]: () => sql[Symbol.asyncDispose](),
    };
  });

  test("the database is migrated once when several workers start at once", async () => {
    const url = await newDatabase(false);
    await Promise.all(Array.from({ length: 5 }, () => migrateFleet(url)));
    await using sql = openPostgresSql(url);
    expect(await queueAt(url, sql).state()).toMatchObject({ waiting: 0, workers: 0 });
  });

  test("workers poll by the clock of PostgreSQL, whatever the clocks of their machines say (F1)", async () => {
    await using sql = openPostgresSql(await newDatabase());
    const follow = {
      type: "follow",
      repositoryId: 1,
      name: "octo/a",
      installationId: null,
      atMs: 0,
    } as const;
    await followedRepositories(sql).apply(follow);
    const DAY_MS = 24 * 3_600_000;
    const dayAhead = { ...sql, nowMs: async () => (await sql.nowMs()) + DAY_MS };
    const polling = reconcilingPoll({
      sql: dayAhead,
      queue: { enqueue: () => Promise.resolve() },
      readerOf: () => ({ updatedIssues: () => Promise.resolve([]) }),
      onFailure: (message) => expect.unreachable(message),
    });
    expect(await polling.pollDue(60_000, new AbortController().signal)).toBe(1);
    const { rows } = await sql.pool.query(
      `select abs(extract(epoch from clock_timestamp()) * 1000 + ${DAY_MS} - polled_at_ms) < 60000 as is_ahead from fleet_repository`,
    );
    expect(rows).toEqual([{ is_ahead: true }]);
    expect(await polling.pollDue(60_000, new AbortController().signal)).toBe(0);
  });

  test("two workers share the caps, and the visits of a worker that shuts down gracefully are not taken over (F3)", async () => {
    const url = await newDatabase();
    await using sql = openPostgresSql(url);
    const queue = queueAt(url, sql);
    await using first = manualWorker(queue, 2);
    await using second = manualWorker(queueAt(url, sql), 4);
    await poll("both workers", async () => (await queue.state()).workers === 2);
    for (let number = 0; number < 9; number += 1) await queue.enqueue(wanted(1, number));
    await poll("three visits", () => first.begun.length + second.begun.length === 3);
    expect(await queue.state()).toMatchObject({ running: 3, waiting: 6 });
  });

  test("a free worker begins the visit of a dead worker next, whatever the visit's rank (F4)", async () => {
    const url = await newDatabase();
    await using sql = openPostgresSql(url);
    const queue = queueAt(url, sql);
    const later = { delayMs: 3_600_000 };
    for (const repositoryId of [1, 2, 3]) await queue.enqueue(wanted(repositoryId, 1, later));
    await queue.enqueue(wanted(1, 2));
    const dead = manualWorker(queue, 1);
    await poll("the visit of the second rank", () => dead.begun.length === 1);
    await sql.pool.query(
      "select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs where locked_by is null",
    );
    await using worker = manualWorker(queueAt(url, sql), 1);
    await poll("a visit of the first rank", () => worker.begun.length === 1);
    await sql.pool.query("update fleet_worker set state = 'dead' where queue_workers like $1", [
      `%${await lockerOf(sql, "1#2")}%`,
    ]);
    await poll("the visit given back", async () => (await lockerOf(sql, "1#2")) === null);
    worker.end(worker.begun[0] ?? "");
    await poll("the next visit", () => worker.begun.length === 2);
    expect(worker.begun[1]).toBe("1#2");
    // If the worker is stopped before its next beat, it ends normally; otherwise it ends as replaced.
    await dead[Symbol.asyncDispose]().catch(() => undefined);
  });

  test("a visit that fails for days, because GitHub refuses the token, is retried without end (F1)", async () => {
    const url = await newDatabase();
    await using sql = openPostgresSql(url);
    const queue = queueAt(url, sql);
    await queue.enqueue(wanted(1, 1));
    // This is the state after four months: the engine waits six hours at most.
    await sql.pool.query(
      "select graphile_worker.reschedule_jobs(array_agg(id), attempts => 500) from graphile_worker.jobs",
    );
    await using worker = manualWorker(queue, 1);
    await poll("the visit", () => worker.begun.length === 1);
    worker.end("1#1", new Error("GITHUB_TOKEN_REJECTED"));
    await poll("its wait", async () => (await queue.state()).waiting === 1);
    expect(await queue.state()).toMatchObject({ running: 0 });
  });

  test("workers recover after a full disk, and repeated failures do not leak connections (F6)", async () => {
    const url = await newDatabase();
    await using sql = openPostgresSql(url);
    const failures: string[] = [];
    const queue = queueAt(url, sql, undefined, (message) => failures.push(message));
    const unstored = (): number => failures.filter((one) => one.startsWith("Failed to release job")).length;
    const exits = (): number => failures.filter((one) => one.startsWith("Worker exited with")).length;
    const beats = (): number => failures.filter((one) => one.startsWith("the liveness of")).length;
    const listeners = async (): Promise<number> => {
      const { rows } = await sql.pool.query(
        "select 1 from pg_stat_activity where query like 'LISTEN%' and datname = current_database()",
      );
      return rows.length;
    };
    await using worker = manualWorker(queue, 2);
    for (let outage = 1; outage <= 2; outage += 1) {
      for (const number of [1, 2]) await queue.enqueue(wanted(outage, number));
      await poll("both visits", () => worker.running().length === 2);
      const disk = await fillDisk(sql);
      for (const name of worker.running()) worker.end(name);
      await poll("two ends that could not be stored", () => unstored() === 2 * outage);
      // In the meantime, the workers that replaced them have also failed to ask for a visit.
      const beatsBefore = beats();
      await poll("some failed signs of life", () => beats() >= beatsBefore + 3);
      // They wait for PostgreSQL: the engine prints a stack trace for each worker that ends.
      expect(exits()).toBe(2 * outage);
      await disk.empty();
      await poll("both visits again", () => worker.running().length === 2);
      for (const name of worker.running()) worker.end(name);
      await poll("an empty queue", async () => {
        const { waiting, running } = await queue.state();
        return waiting + running === 0;
      });
    }
    await poll("one connection for each of the two workers", async () => (await listeners()) <= 2);
    expect(worker.begun).toHaveLength(8);
  });

  test("a PostgreSQL crash loses no visit, duplicates none, and ends no worker (F6)", async () => {
    await using own = await startPostgres();
    await migrateFleet(own.url);
    await using sql = openPostgresSql(own.url);
    const queue = queueAt(own.url, sql);
    await using worker = manualWorker(queue, 2);
    for (let number = 1; number <= 4; number += 1) await queue.enqueue(wanted(1, number));
    await poll("two visits", () => worker.begun.length === 2);
    const [first = "", second = ""] = worker.begun;
    await own.stop("immediate");
    worker.end(first);
    await expect(queue.enqueue(wanted(2, 1))).rejects.toMatchObject({ code: "FLEET_DATABASE_UNAVAILABLE" });
    await own.start();
    worker.end(second);
    await poll("the others", () => worker.begun.length === 4);
    for (const name of worker.running()) worker.end(name);
    await poll("an empty queue", async () => {
      const { waiting, running } = await queue.state();
      return waiting + running === 0;
    });
    expect(new Set(worker.begun).size).toBe(4);
  });

  test("a connection that breaks while the engine uses it does not end the process, and the next statement gets a new connection (F6)", async () => {
    const url = await newDatabase();
    await using sql = openPostgresSql(url);
    const taken = await sql.pool.connect();
    const broken = new Promise((resolve) => taken.once("end", resolve));
    const { rows } = await taken.query<{ pid: number }>("select pg_backend_pid() as pid");
    await sql.pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await broken;
    await expect(taken.query("select 1")).rejects.toThrow(/not queryable|closed/);
    taken.release(true);
    expect((await sql.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });

  test("a worker whose connections fall silent makes new ones, its fence keeps to its patience, and a stop ends it (F6, F7)", async () => {
    await using proxy = await startSilentProxy(await newDatabase());
    await using sql = openPostgresSql(proxy.url, 6, 500);
    const queue = queueAt(proxy.url, sql, undefined, undefined, 500);
    await queue.enqueue(wanted(1, 1));
    await using worker = manualWorker(queue, 1);
    await poll("the visit", () => worker.begun.length === 1);
    const waiting = Array.from({ length: 3 }, () => sql.pool.query("select pg_sleep(0.1)"));
    await Promise.all(waiting);
    proxy.silence();
    const ended: string[] = [];
    const note = (name: string, ending: Promise<unknown>): Promise<unknown> =>
      ending.catch(() => ended.push(name));
    await Promise.all([
      note("a statement", queue.enqueue(wanted(1, 2))),
      note("the fence", worker.held.get("1#1")?.isOurs(AbortSignal.timeout(100)) ?? Promise.resolve()),
    ]);
    expect(ended).toEqual(["the fence", "a statement"]);
    worker.end("1#1");
    const enqueue = (): Promise<boolean> =>
      queue.enqueue(wanted(1, 3)).then(
        () => true,
        () => false,
      );
    await poll("a connection that answers", enqueue);
    await poll("the next visit", () => worker.begun.includes("1#3"));
    proxy.silence();
    worker.stop();
    for (const name of worker.running()) worker.end(name);
    await poll("the end of the work", () => worker.isOver());
  });

  test("a worker whose session PostgreSQL ended acquires its lock again and is not replaced (F6)", async () => {
    const url = await newDatabase();
    await using sql = openPostgresSql(url);
    const queue = queueAt(url, sql);
    await using worker = manualWorker(queue, 1);
    await using other = manualWorker(queueAt(url, sql), 0 + 1);
    await queue.enqueue(wanted(1, 1));
    await poll("the visit", () => worker.begun.length + other.begun.length === 1);
    await sql.pool.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 7001",
    );
    const locks = async (): Promise<number> =>
      (await sql.pool.query("select 1 from pg_locks where locktype = 'advisory' and classid = 7001")).rows
        .length;
    await poll("both locks", async () => (await locks()) === 2);
    const held = worker.held.get("1#1") ?? other.held.get("1#1");
    expect(await held?.isOurs(new AbortController().signal)).toBe(true);
  });
});

function queueAt(
  url: string,
  sql: ReturnType<typeof openPostgresSql>,
  caps: FleetCaps = { perRepository: 3, perOwner: null },
  onFailure: (message: string) => void = () => undefined,
  beatAnswerMs?: number,
): VisitQueue {
  const ids = systemIds(systemClock);
  const parent = `host/1/${ids.hex(4)}`;
  const options = { url, sql, caps, parent, clock: systemClock, ids, onFailure };
  return openPostgresQueue(beatAnswerMs === undefined ? options : { ...options, beatAnswerMs });
}

async function lockerOf(sql: ReturnType<typeof openPostgresSql>, key: string): Promise<string | null> {
  const statement = "select locked_by from graphile_worker.jobs where key = $1";
  const { rows } = await sql.pool.query<{ locked_by: string | null }>(statement, [key]);
  return rows[0]?.locked_by ?? null;
}

/** A migrated database: a copy of the first one, which no test uses. */
async function newDatabase(isMigrated = true): Promise<string> {
  databases += 1;
  const name = `fleet_${databases}`;
  await using sql = openPostgresSql(server.url);
  await sql.pool.query(`create database ${name}${isMigrated ? " template fleet_1" : ""}`);
  return server.url.replace("/postgres?", `/${name}?`);
}
