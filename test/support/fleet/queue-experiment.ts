import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { systemClock, systemIds } from "agent-tty/kit";
import { z } from "zod";
import { migrateFleet, openPostgresQueue, openPostgresSql } from "../../../src/fleet/index.ts";
import { poll } from "../batch/poll.ts";
import { bundleWorker } from "./bundle-worker.ts";
import { startPostgres } from "./postgres.ts";
import { wanted } from "./queue-contract.ts";

export interface Experiment {
  workers: number;
  parallelism: number;
  /** The number of visits of the one big repository, which are requested first. */
  big: number;
  small: number;
  visitsOfSmall: number;
  visitMs: number;
  perRepository: number;
  /** The time between two SIGKILLs of a random worker, which a new one replaces; null if there are none. */
  killEveryMs: number | null;
  kills: number;
  /** How long one worker is paused, beyond its lease; null if none is paused. */
  pauseMs: number | null;
  random: () => number;
  patienceMs: number;
}

export interface ExperimentFigures {
  visits: number;
  attempts: number;
  lost: number;
  doubled: number;
  /** The highest number of visits of one repository that the queue had assigned to workers at the same time. */
  peakOfRepository: number;
  takeoversMs: number[];
  bigWaitsMs: number[];
  smallWaitsMs: number[];
  durationMs: number;
}

const attemptRow = z.object({
  repository_id: z.coerce.number(),
  number: z.coerce.number(),
  worker: z.string(),
  at_ms: z.coerce.number(),
  peers: z.coerce.number(),
});
const effectRow = attemptRow.omit({ peers: true });

/** Runs real worker processes with real PostgreSQL and real SIGKILLs, and measures the contract of the queue from outside. */
export async function runExperiment(experiment: Experiment): Promise<ExperimentFigures> {
  const program = await bundleWorker("queue-process.ts");
  await using server = await startPostgres();
  await migrateFleet(server.url);
  await using sql = openPostgresSql(server.url);
  const columns = "repository_id bigint, number bigint, worker text, attempt int, at timestamptz";
  await sql.pool.query(`create table attempt (${columns}, peers int); create table effect (${columns})`);
  const complaints: string[] = [];
  const caps = { perRepository: experiment.perRepository, perOwner: null };
  const ids = systemIds(systemClock);
  const ports = { clock: systemClock, ids, onFailure: () => undefined };
  const queue = openPostgresQueue({ url: server.url, sql, caps, parent: "experiment", ...ports });
  const wants = [
    ...Array.from({ length: experiment.big }, (_, number) => wanted(1, number + 1)),
    ...Array.from({ length: experiment.small * experiment.visitsOfSmall }, (_, index) =>
      wanted(2 + (index % experiment.small), 1 + Math.floor(index / experiment.small)),
    ),
  ];
  for (const want of wants) await queue.enqueue(want);
  await using processes = openProcesses();
  for (let index = 0; index < experiment.workers; index += 1) await processes.start();
  const deaths: { worker: string; atMs: number }[] = [];
  const drained = poll("the last effect", isDrained, experiment.patienceMs).catch((error: unknown) => {
    throw new Error(`the workers said:\n${complaints.slice(-20).join("\n")}`, { cause: error });
  });
  await Promise.all([drained, strike()]);
  const attempts = await sql.rows(
    attemptRow,
    "select *, extract(epoch from at) * 1000 as at_ms from attempt order by at",
  );
  const effects = await sql.rows(effectRow, "select *, extract(epoch from at) * 1000 as at_ms from effect");
  const startedMs = attempts[0]?.at_ms ?? 0;
  const counts = new Map<string, number>();
  for (const effect of effects) counts.set(nameOf(effect), (counts.get(nameOf(effect)) ?? 0) + 1);
  const waitsOf = (isBig: boolean): number[] =>
    [...new Map(attempts.toReversed().map((each) => [nameOf(each), each])).values()]
      .filter(({ repository_id: id }) => (id === 1) === isBig)
      .map(({ at_ms: atMs }) => atMs - startedMs)
      .toSorted((a, b) => a - b);
  return {
    visits: wants.length,
    attempts: attempts.length,
    lost: wants.length - counts.size,
    doubled: [...counts.values()].filter((count) => count > 1).length,
    peakOfRepository: Math.max(...attempts.map(({ peers }) => peers)),
    takeoversMs: deaths.flatMap(({ worker, atMs }) => takeoversOf(worker, atMs)),
    bigWaitsMs: waitsOf(true),
    smallWaitsMs: waitsOf(false),
    durationMs: (await serverNowMs()) - startedMs,
  };

  function takeoversOf(worker: string, atMs: number): number[] {
    const finished = new Set(effects.filter((each) => each.worker === worker).map(nameOf));
    const inFlight = attempts.filter((each) => each.worker === worker && !finished.has(nameOf(each)));
    return inFlight.flatMap((lost) => {
      const next = attempts.find((each) => nameOf(each) === nameOf(lost) && each.at_ms > lost.at_ms);
      return next === undefined ? [] : [next.at_ms - atMs];
    });
  }

  async function strike(): Promise<void> {
    const { killEveryMs, kills, pauseMs } = experiment;
    if (pauseMs !== null) {
      const paused = processes.any(experiment.random);
      await poll("a visit in its hands", () => isBusy(paused.name));
      paused.signal("SIGSTOP");
      deaths.push({ worker: paused.name, atMs: await serverNowMs() });
      await systemClock.sleep(pauseMs);
      paused.signal("SIGCONT");
    }
    if (killEveryMs === null) return;
    for (let kill = 0; kill < kills; kill += 1) {
      await systemClock.sleep(killEveryMs);
      if (await isDrained()) return;
      const victim = processes.any(experiment.random);
      await poll("a visit in its hands", async () => (await isBusy(victim.name)) || (await isDrained()));
      victim.signal("SIGKILL");
      deaths.push({ worker: victim.name, atMs: await serverNowMs() });
      await processes.start();
    }
  }

  async function isDrained(): Promise<boolean> {
    const { waiting, running } = await queue.state();
    return waiting + running === 0;
  }

  async function isBusy(worker: string): Promise<boolean> {
    const statement = `select (select count(*) from attempt where worker = $1) > (select count(*) from effect where worker = $1) as is_busy`;
    const [row] = await sql.rows(z.object({ is_busy: z.boolean() }), statement, worker);
    return row?.is_busy ?? false;
  }

  async function serverNowMs(): Promise<number> {
    const [row] = await sql.rows(
      z.object({ ms: z.coerce.number() }),
      "select extract(epoch from clock_timestamp()) * 1000 as ms",
    );
    return row?.ms ?? 0;
  }

  function openProcesses() {
    interface Worker {
      name: string;
      signal: (signal: NodeJS.Signals) => void;
      over: Promise<void>;
    }
    const [living, struck]: [Worker[], Worker[]] = [[], []];
    let count = 0;
    return {
      start: async (): Promise<void> => {
        count += 1;
        const name = `worker-${count}`;
        const { parallelism, visitMs, perRepository } = experiment;
        const options = { url: server.url, name, parallelism, visitMs, perRepository };
        const child = spawn(process.execPath, [program, JSON.stringify(options)], {
          stdio: ["ignore", "ignore", "pipe"],
        });
        createInterface({ input: child.stderr }).on("line", (line) => void complaints.push(line));
        const over = new Promise<void>((resolve) => child.once("exit", () => resolve()));
        living.push({ name, over, signal: (signal) => void child.kill(signal) });
      },
      any: (random: () => number) => {
        const [one] = living.splice(Math.floor(random() * living.length), 1);
        if (one === undefined) throw new Error("no worker is left");
        struck.push(one);
        return one;
      },
      [Symbol.asyncDispose]: async () => {
        for (const { signal } of [...living, ...struck]) signal("SIGKILL");
        await Promise.all([...living, ...struck].map(({ over }) => over));
        await rm(program, { force: true });
      },
    };
  }
}

function nameOf({ repository_id: id, number }: { repository_id: number; number: number }): string {
  return `${id}#${number}`;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
