import { systemClock, systemIds } from "agent-tty/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type FleetCaps,
  migrateFleet,
  openPostgresQueue,
  openPostgresSql,
  type VisitQueue,
} from "../../src/fleet/index.ts";
import { poll } from "../support/batch/poll.ts";
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
  withoutPostgres,
} from "../support/fleet/postgres.ts";
import { describeQueue, manualWorker, wanted } from "../support/fleet/queue-contract.ts";

let server: PostgresServer;
let databases = 0;

describe.skipIf(postgresPrograms === null)(`PostgreSQL${withoutPostgres}`, { timeout: 60_000 }, () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  describeQueue("the queue in PostgreSQL", async (caps) => {
    const url = await newDatabase();
    const sql = openPostgresSql(url);
    return { queue: queueAt(url, sql, caps), [Symbol.asyncDispose]: () => sql[Symbol.asyncDispose]() };
  });

  test("several workers that start at once migrate once", async () => {
    const url = await newDatabase(false);
    await Promise.all(Array.from({ length: 5 }, () => migrateFleet(url)));
    await using sql = openPostgresSql(url);
    expect(await queueAt(url, sql).state()).toMatchObject({ waiting: 0, workers: 0 });
  });

  test("two workers share the caps, and the visits of a worker that leaves in order are not taken over (F3)", async () => {
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

  test("PostgreSQL that crashes and is away loses no visit, doubles none, and ends no worker (F6)", async () => {
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

  test("a worker whose session PostgreSQL ended takes its lock again and is not replaced (F6)", async () => {
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
): VisitQueue {
  const ids = systemIds(systemClock);
  const parent = `host/1/${ids.hex(4)}`;
  return openPostgresQueue({ url, sql, caps, parent, clock: systemClock, ids, onFailure: () => undefined });
}

async function newDatabase(isMigrated = true): Promise<string> {
  databases += 1;
  const name = `fleet_${databases}`;
  await using sql = openPostgresSql(server.url);
  await sql.pool.query(`create database ${name}`);
  const url = server.url.replace("/postgres?", `/${name}?`);
  if (isMigrated) await migrateFleet(url);
  return url;
}
