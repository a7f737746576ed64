import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { allRuns } from "../../src/board/server/index.ts";
import { undoCommand } from "../../src/cli/commands/undo-command.ts";
import { type PostgresSql, pruneRecords } from "../../src/fleet/index.ts";
import { storeRecords } from "../../src/fleet/records/record-table.ts";
import type { IssueRef } from "../../src/github/index.ts";
import { selectedTriageRun, type TriageRunEvent } from "../../src/runs/index.ts";
import { runDirectory } from "../../src/triage/index.ts";
import { poll } from "../support/batch/poll.ts";
import { recordedOutput } from "../support/cli/recorded-output.ts";
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
  withoutPostgres,
} from "../support/fleet/postgres.ts";
import { recordStage } from "../support/fleet/record-stage.ts";

const clock = systemClock;
const [EARLY, LATE] = ["20260101T000000Z-aaaa", "20260102T000000Z-bbbb"] as const;
const settled = (atMs: number): TriageRunEvent => ({
  type: "run-settled",
  end: { status: "skipped", reason: "a test" },
  atMs,
});
const lasting = new AbortController().signal;

let server: PostgresServer;

const rowsOf = async (sql: PostgresSql): Promise<number> =>
  (await sql.pool.query("select 1 from fleet_record")).rows.length;

describe.skipIf(postgresPrograms === null)(
  `records in PostgreSQL${withoutPostgres}`,
  { timeout: 60_000 },
  () => {
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server[Symbol.asyncDispose]());
    afterEach(() => void vi.unstubAllEnvs());

    test("one board lists, filters, pages, sums up and opens the runs of two workers with separate stores (F8)", async () => {
      await using stage = await recordStage(server);
      using one = await stage.worker("one");
      using other = await stage.worker("other");
      one.batch(EARLY);
      one.run(EARLY, "octo/a", 1, [settled(clock.nowMs())]);
      other.batch(LATE);
      other.run(LATE, "acme/b", 2);
      {
        await using _one = one.send();
        await using _other = other.send();
      }
      const ref = { repo: "octo/a", number: 1 } as IssueRef;
      const artifacts = runDirectory(join(stage.shared, "runs"), EARLY, ref);
      await mkdir(artifacts, { recursive: true });
      await writeFile(join(artifacts, "recording.cast"), "a recording");
      await using board = await stage.board();
      expect(await board.keys()).toEqual(["acme/b#2", "octo/a#1"]);
      const { source } = board;
      expect(await source.totals(allRuns)).toMatchObject({ runs: 2, live: 1, batches: 2 });
      expect(await source.runs({ ...allRuns, repo: "acme/b" })).toMatchObject({ total: 1 });
      const first = await source.runs({ ...allRuns, limit: 1 });
      expect(first.next).not.toBe(null);
      const second = await source.runs({ ...allRuns, limit: 1, after: first.next });
      expect(second.runs).toMatchObject([{ repo: "octo/a", number: 1 }]);
      expect((await source.batches({ limit: 5, after: null })).batches).toHaveLength(2);
      const key = { runId: EARLY, repo: "octo/a", number: 1 };
      expect((await source.run(key))?.artifacts).toMatchObject([{ kind: "recording", sizeBytes: 11 }]);
    });

    test("undo finds the batch of a worker whose own home is lost (T10)", async () => {
      await using stage = await recordStage(server);
      using lost = await stage.worker("one");
      lost.batch(EARLY);
      {
        await using _sent = lost.send();
      }
      for (const name of ["GITHUB_TOKEN", "AFK_TRIAGE_APP_ID"]) vi.stubEnv(name, "");
      const undo = () =>
        undoCommand({ run: EARLY, issue: [], dryRun: false, home: stage.shared }, recordedOutput());
      await mkdir(join(stage.shared, "runs", EARLY), { recursive: true, mode: 0o700 });
      await expect(undo()).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
      vi.stubEnv("AFK_TRIAGE_DATABASE_URL", stage.url);
      await expect(undo()).rejects.toMatchObject({ code: "GITHUB_TOKEN_MISSING" });
    });

    test("a change of a worker's run reaches an open board live, and the run stays one row (F8)", async () => {
      await using stage = await recordStage(server);
      using one = await stage.worker("one");
      await using _sending = one.send();
      await using board = await stage.board();
      one.batch(EARLY);
      one.run(EARLY, "octo/a", 1);
      await poll("the run", async () => (await board.keys()).length === 1);
      const stop = new AbortController();
      const following = board.copy.follow(stop.signal);
      const cursor = await board.source.lastChange();
      one.run(EARLY, "octo/a", 1, [settled(clock.nowMs())]);
      for await (const { event } of board.source.changes(cursor, stop.signal)) {
        if (event.type !== "run") continue;
        expect(event.run).toMatchObject({ repo: "octo/a", number: 1, settledAtMs: expect.any(Number) });
        break;
      }
      stop.abort();
      await following;
      expect(await board.keys()).toEqual(["octo/a#1"]);
    });

    test("rows written while PostgreSQL is unreachable arrive when it is back, and the worker's store never waits for it (F6, F8)", async () => {
      await using stage = await recordStage(server);
      using one = await stage.worker("one");
      await using board = await stage.board();
      await using _sending = one.send();
      one.batch(EARLY);
      one.run(EARLY, "octo/a", 1);
      await poll("the first run", async () => (await board.keys()).length === 1);
      await server.stop("immediate");
      for (let number = 2; number <= 500; number += 1) one.run(EARLY, "octo/a", number);
      await poll("the failure", () => stage.failures.length > 0);
      expect(one.store.runTotals({ batch: null, endedAfterMs: null }).runs).toBe(500);
      await server.start();
      await poll("all runs", async () => {
        const refreshed = await board.copy.refresh(lasting).then(
          () => true,
          () => false,
        );
        return refreshed && (await board.source.totals(allRuns)).runs === 500;
      });
      expect(stage.failures).toHaveLength(1);
    });

    test("the last rows of a killed worker are sent by the next process with its store, and until then its unfinished run is shown beside the successor's (F4, F8)", async () => {
      await using stage = await recordStage(server);
      using successor = await stage.worker("successor");
      {
        using killed = await stage.worker("killed");
        killed.batch(EARLY);
        killed.run(EARLY, "octo/a", 1);
        await using _sending = killed.send();
      }
      using restarted = await stage.worker("killed");
      // The rows are written but not sent, because the process ended first.
      restarted.run(EARLY, "octo/a", 1, [settled(clock.nowMs())]);
      successor.batch(LATE);
      successor.run(LATE, "octo/a", 1, [settled(clock.nowMs())]);
      {
        await using _sending = successor.send();
      }
      await using board = await stage.board("board", ["killed/1/1"]);
      expect(await board.keys()).toEqual(["octo/a#1", "octo/a#1"]);
      const totals = await board.source.totals(allRuns);
      expect(totals).toMatchObject({ runs: 2, live: 0, parentLost: 1 });
      {
        await using _sending = restarted.send();
      }
      await board.keys();
      expect(await board.source.totals(allRuns)).toMatchObject({ runs: 2, live: 0, parentLost: 0 });
    });

    test("one of the processes that share a store sends its rows, and another process does so when the first one ends (F8)", async () => {
      await using stage = await recordStage(server);
      using one = await stage.worker("one");
      one.batch(EARLY);
      const first = one.send();
      await poll("the batch", async () => (await rowsOf(stage.sql)) === 1);
      await using _second = one.send();
      one.run(EARLY, "octo/a", 1);
      await first[Symbol.asyncDispose]();
      one.run(EARLY, "octo/a", 2);
      await poll("both runs", async () => (await rowsOf(stage.sql)) === 3);
      expect(stage.failures).toEqual([]);
    });

    test("a run keeps its name and stays one row when its repository is renamed or transferred (F8)", async () => {
      await using stage = await recordStage(server);
      using one = await stage.worker("one");
      one.batch(EARLY);
      one.run(EARLY, "octo/old", 1, [settled(clock.nowMs())]);
      one.batch(LATE);
      one.run(LATE, "acme/new", 1, [settled(clock.nowMs())]);
      {
        await using _sending = one.send();
      }
      await using board = await stage.board();
      expect(await board.keys()).toEqual(["acme/new#1", "octo/old#1"]);
      expect((await board.source.totals(allRuns)).repos).toEqual(["acme/new", "octo/old"]);
    });

    test("a board whose copy was deleted reads all runs again, in the order of their batches (F8)", async () => {
      await using stage = await recordStage(server);
      using one = await stage.worker("one");
      using other = await stage.worker("other");
      one.batch(LATE);
      one.run(LATE, "octo/a", 1);
      {
        await using _sending = one.send();
      }
      other.batch(EARLY);
      for (let number = 2; number <= 1_203; number += 1) other.run(EARLY, "octo/a", number);
      {
        await using _sending = other.send();
      }
      const read = async () => {
        await using board = await stage.board();
        const keys = await board.keys();
        return { keys, runs: (await board.source.totals(allRuns)).runs, path: board.copy.storePath };
      };
      const first = await read();
      expect(first).toMatchObject({ runs: 1_203 });
      expect(first.keys[0]).toBe("octo/a#1");
      await rm(dirname(first.path), { recursive: true });
      expect(await read()).toEqual(first);
    });

    test("a board reads all runs again when the database was restored to an earlier state (F8)", async () => {
      await using stage = await recordStage(server);
      using one = await stage.worker("one");
      one.batch(EARLY);
      one.run(EARLY, "octo/a", 1);
      {
        await using _sending = one.send();
      }
      await using board = await stage.board();
      expect(await board.keys()).toEqual(["octo/a#1"]);
      await stage.sql.pool.query("update fleet_fact set value = 0 where name = 'record-arrival'");
      await board.copy.refresh(lasting);
      one.run(EARLY, "octo/a", 2);
      {
        await using _sending = one.send();
      }
      expect((await board.keys()).toSorted()).toEqual(["octo/a#1", "octo/a#2"]);
    });

    test("rows older than the retention leave PostgreSQL and the board, and a late row of that age is refused (F8)", async () => {
      await using stage = await recordStage(server);
      using one = await stage.worker("one");
      one.batch(EARLY, 1_000);
      one.store.saveRun(selectedTriageRun({ runId: EARLY, repo: "octo/a", number: 1, atMs: 1_000 }));
      one.batch(LATE, 3_000);
      one.store.saveRun(selectedTriageRun({ runId: LATE, repo: "octo/a", number: 2, atMs: 3_000 }));
      await using _sending = one.send();
      await using board = await stage.board();
      await poll("both runs", async () => (await board.keys()).length === 2);
      await pruneRecords(stage.sql, 2_000, lasting);
      expect(await board.keys()).toEqual(["octo/a#2"]);
      one.store.saveRun(selectedTriageRun({ runId: EARLY, repo: "octo/a", number: 3, atMs: 1_001 }));
      one.run(LATE, "octo/a", 4);
      await poll("the new run", async () => (await board.keys()).includes("octo/a#4"));
      expect(await board.keys()).toEqual(["octo/a#4", "octo/a#2"]);
      expect(await rowsOf(stage.sql)).toBe(3);
    });

    test("a statement that arrives late does not change a newer row (F8)", async () => {
      await using stage = await recordStage(server);
      const record = { kind: "run", key: "[1]", beganAtMs: 1 } as const;
      await storeRecords(stage.sql, "a store", [{ ...record, version: 2, content: "new" }]);
      await storeRecords(stage.sql, "a store", [{ ...record, version: 1, content: "old" }]);
      const { rows } = await stage.sql.pool.query("select content from fleet_record");
      expect(rows).toEqual([{ content: "new" }]);
    });
  },
);
