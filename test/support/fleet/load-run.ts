import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { systemClock, systemIds } from "agent-tty/kit";
import { z } from "zod";
import {
  followedRepositories,
  migrateFleet,
  openPostgresQueue,
  openPostgresSql,
  type PostgresSql,
} from "../../../src/fleet/index.ts";
import { poll } from "../batch/poll.ts";
import { temporaryDirectory } from "../temporary-directory.ts";
import { bundleWorker } from "./bundle-worker.ts";
import { compareRecords, type RecordFigures } from "./load-records.ts";
import { repositoryOfLoad, WORLD_TABLES } from "./load-world.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";
import { wanted } from "./queue-contract.ts";

export interface Load {
  workers: number;
  parallelism: number;
  repositories: number;
  issues: number;
  perRepository: number;
  /** How long a simulated Triage Agent works, in milliseconds. */
  agentMs: number;
  /** The time between two SIGKILLs of a random worker, in milliseconds; null if there are none. */
  killEveryMs: number | null;
  random: () => number;
  patienceMs: number;
  /** The faults of the fleet's database and workers during the run. */
  trouble?: (stage: TroubleStage) => Promise<void>;
}

export interface TroubleStage {
  server: PostgresServer;
  sql: PostgresSql;
  /** Pauses a worker with SIGSTOP; disposing it wakes the worker again. */
  pause: () => Disposable;
}

export interface LoadFigures {
  issues: number;
  doubledComments: number;
  /**
   * The number of issues without a comment when the queue was empty; `lost` is the number after a further poll of all
   * repositories.
   */
  lostBeforePoll: number;
  lost: number;
  leakedWorkspaces: number;
  /** The number of Triage Agents started after one for the same issue had finished and its result was on disk. */
  paidTwice: number;
  kills: number;
  takeoversMs: number[];
  /** The longest wait of any repository's k-th issue, as a multiple of the time by which round-robin would have begun it. */
  worstShare: number;
  peakOfRepository: number;
  durationMs: number;
  cpuMs: number;
  /** The total cost of the Triage Runs in the ledger, in dollars. */
  spentUsd: number;
  /** The fleet's board, compared with the stores of all workers. */
  records: RecordFigures;
  complaints: string[];
}

const count = z.object({ count: z.coerce.number() });

/** Runs the fleet under load: with real worker processes, real PostgreSQL and real SIGKILLs; the rest is simulated (F9). */
export async function runLoad(load: Load): Promise<LoadFigures> {
  const program = await bundleWorker("load-process.ts");
  await using directory = await temporaryDirectory();
  const connections = 40 + load.workers * (2 * load.parallelism + 8);
  await using server = await startPostgres({ connections });
  await using world = await startPostgres({ connections });
  await migrateFleet(server.url);
  await using sql = openPostgresSql(server.url);
  await using worldSql = openPostgresSql(world.url);
  await worldSql.pool.query(WORLD_TABLES);
  const ids = systemIds(systemClock);
  const caps = { perRepository: load.perRepository, perOwner: null };
  const ports = { clock: systemClock, ids, onFailure: () => undefined };
  const queue = openPostgresQueue({ url: server.url, sql, caps, parent: "load", ...ports });
  const issues = plannedIssues(load);
  await fill();
  const complaints: string[] = [];
  await using processes = openProcesses();
  for (let index = 0; index < load.workers; index += 1) processes.start();
  const killed: { worker: string; atMs: number }[] = [];
  const striking = new AbortController();
  const isDrained = async (): Promise<boolean> => {
    if (processes.haveAllEnded()) throw new Error("no worker is left to empty the queue");
    // The queue's database may be away at the moment.
    const state = await queue.state().catch(() => null);
    return state !== null && state.waiting + state.running === 0;
  };
  const isUnderWay = async (): Promise<boolean> =>
    (await one("select count(distinct worker) as count from world_visit")) >= load.workers;
  await poll("a visit of each worker", isUnderWay);
  const strikes = strike(striking.signal);
  try {
    await load.trouble?.({ server, sql, pause: () => processes.pause(load.random) });
    await poll("an empty queue", isDrained, load.patienceMs);
  } catch (error) {
    throw new Error(`the workers said:\n${complaints.slice(-20).join("\n")}`, { cause: error });
  } finally {
    // A strike after the end would start a worker that nobody ends.
    striking.abort();
    await strikes;
  }
  const lostBeforePoll = await missing();
  // The next poll finds lost issues, and also deletes what dead workers left.
  await sql.pool.query("update fleet_repository set polled_at_ms = 0, polled_to = null, polled_last = '[]'");
  const unpolled = "select count(*) as count from fleet_repository where polled_at_ms = 0";
  const isPolled = async (): Promise<boolean> => (await sql.rows(count, unpolled))[0]?.count === 0;
  await poll("the poll", async () => (await isPolled()) && (await isDrained()), load.patienceMs);
  await processes.drain();
  const figures = await read();
  const records = await compareRecords(sql, directory.path, processes.homes());
  return { ...figures, records, lostBeforePoll, kills: killed.length, complaints };

  async function fill(): Promise<void> {
    const repositories = followedRepositories(sql);
    for (let id = 1; id <= load.repositories; id += 1)
      await repositories.apply({
        type: "follow",
        repositoryId: id,
        name: repositoryOfLoad(id),
        installationId: null,
        atMs: 1,
      });
    // The repositories count as polled, because all visits are queued below, before the first worker starts.
    await sql.pool.query("update fleet_repository set polled_at_ms = $1", [systemClock.nowMs()]);
    for (const { repositoryId, number } of issues) {
      await worldSql.pool.query(
        "insert into world_issue (repo, number, labels, state) values ($1, $2, '{needs-triage}', 'open')",
        [repositoryOfLoad(repositoryId), number],
      );
      const owner = repositoryOfLoad(repositoryId).split("/")[0] ?? "";
      await queue.enqueue(wanted(repositoryId, number, { owner }));
    }
  }

  async function strike(stop: AbortSignal): Promise<void> {
    while (load.killEveryMs !== null && !stop.aborted) {
      const name = processes.kill(load.random);
      killed.push({
        worker: name,
        atMs: await one("select extract(epoch from clock_timestamp()) * 1000 as count"),
      });
      processes.start();
      await systemClock.sleep(load.killEveryMs, stop).catch(() => undefined);
    }
  }

  async function one(statement: string): Promise<number> {
    return (await worldSql.rows(count, statement))[0]?.count ?? 0;
  }

  function missing(): Promise<number> {
    return one(`select count(*) as count from world_issue i where labels @> '{needs-triage}'
      or not exists (select 1 from world_comment c where c.repo = i.repo and c.number = i.number)`);
  }

  async function read(): Promise<Omit<LoadFigures, "records" | "lostBeforePoll" | "kills" | "complaints">> {
    const visits = await worldSql.rows(
      z.object({
        key: z.string(),
        worker: z.string(),
        attempt: z.number(),
        begun: z.coerce.number(),
        ended: z.coerce.number().nullable(),
        peers: z.number(),
      }),
      `select repo || '#' || number as key, worker, attempt, extract(epoch from begun_at) * 1000 as begun,
       extract(epoch from ended_at) * 1000 as ended, peers from world_visit order by begun_at`,
    );
    const startMs = visits[0]?.begun ?? 0;
    const takeoversMs = killed.flatMap(({ worker, atMs }) =>
      visits
        .filter((visit) => visit.worker === worker && visit.ended === null)
        .flatMap(({ key, begun, attempt }) => {
          // A visit whose end was not noted in time is visited again by the next poll, as a first attempt.
          const isNext = (other: (typeof visits)[number]): boolean =>
            other.key === key && other.begun > begun && other.attempt > attempt;
          const next = visits.find(isNext);
          return next === undefined ? [] : [next.begun - atMs];
        }),
    );
    const first = new Map<string, number>();
    for (const { key, begun } of visits) if (!first.has(key)) first.set(key, begun - startMs);
    const durationMs = Math.max(...first.values());
    const [spent] = await sql.rows(count, "select coalesce(sum(micro_usd), 0) as count from fleet_run");
    return {
      issues: issues.length,
      doubledComments: await one(
        "select count(*) as count from (select 1 from world_comment group by repo, number having count(*) > 1) doubled",
      ),
      lost: await missing(),
      leakedWorkspaces: await one("select count(*) as count from world_workspace where deleted_at is null"),
      paidTwice:
        await one(`select count(*) as count from world_agent later where exists (select 1 from world_agent earlier
        where earlier.repo = later.repo and earlier.number = later.number and earlier.finished_at < later.started_at)`),
      takeoversMs,
      worstShare: worstShareOf(first, durationMs),
      peakOfRepository: Math.max(...visits.map(({ peers }) => peers)),
      durationMs,
      cpuMs: await one("select coalesce(sum(cpu_ms), 0) as count from world_cpu"),
      spentUsd: (spent?.count ?? 0) / 1e6,
    };
  }

  function worstShareOf(first: ReadonlyMap<string, number>, durationMs: number): number {
    const turn = new Map<string, number>();
    const seen = new Map<number, number>();
    for (const { repositoryId, number } of issues) {
      const k = (seen.get(repositoryId) ?? 0) + 1;
      seen.set(repositoryId, k);
      turn.set(`${repositoryOfLoad(repositoryId)}#${number}`, k);
    }
    const upTo = (k: number): number => [...turn.values()].filter((each) => each <= k).length;
    const fair = new Map([...new Set(turn.values())].map((k) => [k, (upTo(k) / turn.size) * durationMs]));
    // Beyond its slots a repository waits for its own visits, so only its first turns are compared.
    const shares = [...first].flatMap(([key, waitMs]) => {
      const k = turn.get(key) ?? 0;
      return k > load.perRepository ? [] : [waitMs / (fair.get(k) ?? 1)];
    });
    return Math.max(0, ...shares);
  }

  function openProcesses() {
    interface Worker {
      name: string;
      signal: (signal: NodeJS.Signals) => void;
      over: Promise<void>;
      isOver: () => boolean;
    }
    const living: Worker[] = [];
    const all: Worker[] = [];
    return {
      /** Returns the homes of all workers, including killed ones. */
      homes: (): string[] => all.map(({ name }) => join(directory.path, name)),
      start: (): void => {
        const name = `worker-${all.length + 1}`;
        const { parallelism, perRepository, agentMs } = load;
        const options = {
          url: server.url,
          worldUrl: world.url,
          name,
          home: join(directory.path, "shared"),
          workerHome: join(directory.path, name),
          parallelism,
          perRepository,
          agentMs,
        };
        const child = spawn(process.execPath, [program, JSON.stringify(options)], {
          stdio: ["ignore", "ignore", "pipe"],
        });
        createInterface({ input: child.stderr }).on("line", (line) => void complaints.push(line));
        const over = new Promise<void>((resolve) => child.once("exit", () => resolve()));
        child.once("exit", (code) => {
          if (code !== null && code !== 0) complaints.push(`${name} ended with exit code ${code}`);
        });
        const worker = {
          isOver: () => child.exitCode !== null,
          name,
          over,
          signal: (signal: NodeJS.Signals) => void child.kill(signal),
        };
        living.push(worker);
        all.push(worker);
      },
      haveAllEnded: () => living.every((worker) => worker.isOver()),
      kill: (random: () => number): string => {
        const [victim] = living.splice(Math.floor(random() * living.length), 1);
        if (victim === undefined) throw new Error("no worker is left");
        victim.signal("SIGKILL");
        return victim.name;
      },
      pause: (random: () => number): Disposable => {
        const victim = living[Math.floor(random() * living.length)];
        if (victim === undefined) throw new Error("no worker is left");
        victim.signal("SIGSTOP");
        return {
          [Symbol.dispose]: () => {
            victim.signal("SIGCONT");
            // The woken worker finds that it was replaced and exits; the new one represents its restart by a supervisor.
            living.splice(living.indexOf(victim), 1);
            processes.start();
          },
        };
      },
      drain: async (): Promise<void> => {
        for (const { signal } of living) signal("SIGTERM");
        await Promise.all(living.map(({ over }) => over));
      },
      [Symbol.asyncDispose]: async () => {
        for (const { signal } of all) signal("SIGKILL");
        await Promise.all(all.map(({ over }) => over));
        await rm(program, { force: true });
      },
    };
  }
}

/** Returns the issues: one repository has a tenth of them and comes first, like a backlog; the others share the rest evenly. */
function plannedIssues({ repositories, issues }: Load): { repositoryId: number; number: number }[] {
  const big = Math.ceil(issues / 10);
  return [
    ...Array.from({ length: big }, (_, index) => ({ repositoryId: 1, number: index + 1 })),
    ...Array.from({ length: issues - big }, (_, index) => ({
      repositoryId: 2 + (index % (repositories - 1)),
      number: 1 + Math.floor(index / (repositories - 1)),
    })),
  ];
}
