import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { openBoardSource } from "../../../src/board/source/index.ts";
import { allRuns } from "../../../src/board/server/index.ts";
import {
  type FleetCopy,
  migrateFleet,
  openFleetCopy,
  openPostgresSql,
  sendRecords,
} from "../../../src/fleet/index.ts";
import { selectedTriageRun, transition, type TriageRunEvent } from "../../../src/runs/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { temporaryDirectory } from "../temporary-directory.ts";
import type { PostgresServer } from "./postgres.ts";

const ids = systemIds(systemClock);
const clock = systemClock;
const lasting = new AbortController().signal;
let databases = 0;

/** Opens a fleet's database and a directory that its workers share. */
export async function recordStage(server: PostgresServer) {
  databases += 1;
  await using admin = openPostgresSql(server.url, 1);
  await admin.pool.query(`create database records_${databases}`);
  const url = server.url.replace("/postgres?", `/records_${databases}?`);
  await migrateFleet(url);
  const sql = openPostgresSql(url, 4);
  const directory = await temporaryDirectory();
  const failures: string[] = [];
  const onFailure = (message: string): void => void failures.push(message);
  const shared = join(directory.path, "shared");
  await mkdir(shared, { mode: 0o700 });
  return {
    sql,
    url,
    shared,
    failures,
    /** Opens a worker with its own store; it sends records after `send` is called. */
    worker: async (name: string) => {
      const storePath = join(directory.path, name, "store.sqlite");
      const store = await openStore({ path: storePath, clock });
      return {
        store,
        storePath,
        batch: (runId: string, startedAtMs = clock.nowMs(), parent = `${name}/1/1`) =>
          store.recordBatch({ runId, parent, provider: "local", repos: ["octo/a"], startedAtMs }),
        run: (runId: string, repo: string, number: number, events: readonly TriageRunEvent[] = []) =>
          store.saveRun(
            events.reduce(transition, selectedTriageRun({ runId, repo, number, atMs: clock.nowMs() })),
          ),
        send: () => {
          const stop = new AbortController();
          const sent = sendRecords({ storePath, sql, clock, ids, onFailure }, stop.signal);
          return {
            [Symbol.asyncDispose]: async () => {
              stop.abort();
              await sent;
            },
          };
        },
        [Symbol.dispose]: () => store[Symbol.dispose](),
      };
    },
    /** Opens a board over the runs of all workers. */
    board: async (name = "board", dead: readonly string[] = []) => {
      const copy: FleetCopy = await openFleetCopy({
        sql,
        directory: join(directory.path, name),
        clock,
        ids,
        onFailure,
      });
      const { storePath } = copy;
      const parentState = async (parent: string): Promise<"dead" | "alive"> =>
        dead.includes(parent) ? "dead" : "alive";
      const source = openBoardSource(shared, { clock, ids }, { storePath, parentState });
      return {
        copy,
        source,
        /** Returns the keys of all runs, newest first, after the board has copied all arrived records. */
        keys: async () => {
          await copy.refresh(lasting);
          return (await source.runs(allRuns)).runs.map(({ repo, number }) => `${repo}#${number}`);
        },
        [Symbol.asyncDispose]: async () => {
          await source[Symbol.asyncDispose]();
          copy[Symbol.dispose]();
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      await sql[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}
