import { systemClock, systemIds } from "agent-tty/kit";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { joinWorkers } from "../../src/fleet/queue/postgres/membership.ts";
import { migrateFleet, openPostgresSql } from "../../src/fleet/index.ts";
import { postgresPrograms, startPostgres, withoutPostgres } from "../support/fleet/postgres.ts";

describe.skipIf(postgresPrograms === null)(
  `the membership of a fleet worker${withoutPostgres}`,
  { timeout: 60_000 },
  () => {
    test("a registration that arrives after a later registration removes none of the later one's names (F4)", async () => {
      await using server = await startPostgres();
      await using sql = openPostgresSql(server.url);
      await migrateFleet(server.url);
      let names = ["one"];
      await using membership = await joinWorkers({
        url: server.url,
        sql,
        parent: "a parent",
        clock: systemClock,
        ids: systemIds(systemClock),
        queueWorkers: () => ({ names: () => names, idle: () => [], ended: new Set() }),
        onFailure: (message) => expect.unreachable(message),
      });
      for (const sent of [["one"], ["one", "two"], ["one"]]) {
        names = sent;
        await membership.register();
      }
      const row = z.object({ queue_workers: z.string() });
      const [worker] = await sql.rows(row, "select queue_workers from fleet_worker");
      expect(JSON.parse(worker?.queue_workers ?? "")).toEqual(expect.arrayContaining(["one", "two"]));
    });
  },
);
