/**
 * One fleet worker of the load run, in a separate process: the real queue, poll, fence, spend ledger and batch machine over a
 * simulated GitHub, Coder deployment and Triage Agent.
 */
import { systemClock, systemIds } from "agent-tty/kit";
import { z } from "zod";
import {
  followedRepositories,
  openDeliveryInbox,
  openPostgresQueue,
  openPostgresSql,
  openSpendLedger,
  reapRepository,
  reconcilingPoll,
  runFleetWorker,
  sendRecords,
} from "../../../src/fleet/index.ts";
import type { IssueRef } from "../../../src/github/index.ts";
import { openProgramHome, storePath } from "../../../src/home/index.ts";
import { checkpointDelivery, resumeDelivery } from "../../../src/triage/batch/run/delivery.ts";
import { decideDelivered } from "../../../src/triage/batch/run/decide-delivered.ts";
import { publishableDecision } from "../../../src/triage/batch/publishable.ts";
import {
  type BatchPorts,
  type BatchWork,
  createCanaryDetector,
  createPublicationTurns,
  createSessionCleaner,
  parseOutcome,
  triageWork,
} from "../../../src/triage/index.ts";
import { parentIdentity } from "../../../src/workspaces/index.ts";
import { defaultSettings } from "../batch/batch-stage.ts";
import { forbiddenAgent, question } from "../batch/in-process-agent.ts";
import { simulatedCoder, simulatedGithub } from "./load-world.ts";

const options = z
  .object({
    url: z.string(),
    /** The database of GitHub, Coder and the notes of this run; it stays available when the fleet's own database is away. */
    worldUrl: z.string(),
    name: z.string(),
    home: z.string(),
    workerHome: z.string(),
    parallelism: z.number(),
    perRepository: z.number(),
    agentMs: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? "{}"));
const { url, name: worker, perRepository, parallelism } = options;
const clock = systemClock;
const ids = systemIds(clock);
const sql = openPostgresSql(url, 2 * parallelism + 6);
const world = openPostgresSql(options.worldUrl, parallelism + 4);
const complain = (message: string): void => void process.stderr.write(`${worker}: ${message}\n`);
const parent = await parentIdentity();
const caps = { perRepository, perOwner: null };
const queue = openPostgresQueue({ url, sql, caps, parent, clock, ids, onFailure: complain });
const home = await openProgramHome(options.home, { clock, ids }, options.workerHome);
const canaries = createCanaryDetector([]);
const run = async (text: string, values: unknown[]): Promise<void> =>
  void (await world.pool.query(text, values));

const work: BatchWork = {
  ...triageWork,
  feedsIssueIndex: false,
  conclude: async (fresh, _, record, context, { signal }) => {
    const { repo, number } = fresh.issue.ref;
    let delivery = await resumeDelivery(fresh, record, context);
    if (delivery === null) {
      record.phase("triaging");
      await run("insert into world_agent (repo, number, worker) values ($1, $2, $3)", [repo, number, worker]);
      await clock.sleep(options.agentMs, signal);
      const parsed = parseOutcome(Buffer.from(JSON.stringify(question(number))), number);
      record.note({ usage: { inputTokens: 900, outputTokens: 100, usd: 0.01 } });
      delivery = { end: "finished", parsed, offered: [], scriptHash: null };
      await checkpointDelivery(delivery, fresh, record, context);
      await run(
        "update world_agent set finished_at = now() where repo = $1 and number = $2 and worker = $3 and finished_at is null",
        [repo, number, worker],
      );
    }
    return publishableDecision(decideDelivered(fresh, delivery.parsed, { type: "not-attempted" }), context);
  },
};
const ports: BatchPorts = {
  ...simulatedGithub(world, worker),
  provider: simulatedCoder(world),
  triageAgent: forbiddenAgent,
  modelMeter: null,
  sessionHome: home.sessions,
  store: home.store,
  reproductions: home.reproductions,
  duplicates: home.duplicates,
  checkpoints: home.checkpoints,
  runsDirectory: home.runsDirectory,
  bundle: () => Promise.reject(new Error("no bundle was asked for")),
  markers: { keys: ["a marker key of this load"], trustedAuthors: [] },
  publishing: createPublicationTurns(() => ""),
  canaries,
  cleaner: createSessionCleaner(canaries),
  parent,
  clock,
  ids,
  observe: () => undefined,
  withinIssue: (_, act) => act(),
};
const writeCpu = (): void => {
  const { user, system } = process.cpuUsage();
  void run(
    "insert into world_cpu (worker, cpu_ms) values ($1, $2) on conflict (worker) do update set cpu_ms = $2",
    [worker, Math.round((user + system) / 1_000)],
  ).catch(() => undefined);
};
setInterval(writeCpu, 500).unref();
/**
 * Records a visit with the number of the repository's visits that the queue has assigned to workers now (`peers`); 0 if its
 * database is away.
 */
const noteVisit = async ({ ref, attempt }: { ref: IssueRef; attempt: number }): Promise<void> => {
  const peers = await sql.pool
    .query(
      "select 1 from graphile_worker.jobs where locked_by is not null and queue_name like 'repository:' || $1::text || ':%'",
      [ref.repo.split("/r")[1]],
    )
    .then(
      ({ rowCount }) => rowCount ?? 0,
      () => 0,
    );
  await run("insert into world_visit (repo, number, worker, attempt, peers) values ($1, $2, $3, $4, $5)", [
    ref.repo,
    ref.number,
    worker,
    attempt,
    peers,
  ]);
};
const noteEnd = ({ repo, number }: IssueRef): Promise<void> =>
  run(
    "update world_visit set ended_at = clock_timestamp() where repo = $1 and number = $2 and worker = $3 and ended_at is null",
    [repo, number, worker],
  );
const notes = new Map<string, Promise<void>>();
/**
 * Writes the notes on one issue in order: otherwise the end of a short visit could be written before its beginning and be lost.
 */
const note = ({ repo, number }: IssueRef, write: () => Promise<void>): void => {
  const key = `${repo}#${number}`;
  const earlier = notes.get(key) ?? Promise.resolve();
  notes.set(
    key,
    earlier.then(write).catch((error: unknown) => complain(`a note: ${String(error)}`)),
  );
};
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort(new Error("SIGTERM")));
const settings = {
  ...defaultSettings,
  parallelism,
  budget: { ...defaultSettings.budget, runUsd: 0.02 },
};
const budget = { usd: null, tokens: null };
const ended = new AbortController();
const sending = sendRecords(
  { storePath: storePath(options.workerHome), sql, clock, ids, onFailure: complain },
  ended.signal,
);
await runFleetWorker(
  {
    settings,
    ports: {
      queue,
      repositories: followedRepositories(sql),
      spend: openSpendLedger(sql, { repository: budget, owner: budget, fleet: budget }, { clock, ids }),
      batch: ports,
      withLog: (act) => act((event) => event.type === "warning" && complain(event.message)),
      observe: (event) => {
        if (event.type === "failure") complain(event.message);
        if (event.type === "visit-started") note(event.ref, () => noteVisit(event));
        if (event.type === "visit-finished") note(event.ref, () => noteEnd(event.ref));
        if (event.type === "visit-finished" && event.status !== "applied" && event.status !== "skipped")
          complain(`${event.ref.repo}#${event.ref.number} ${event.status}: ${event.reason}`);
      },
      clock,
      ids,
      work,
    },
    inbox: openDeliveryInbox(sql, { clock, queue, onFailure: complain }),
    poll: reconcilingPoll({
      sql,
      queue,
      readerOf: () => ports.reader,
      afterwards: (repository, signal) => reapRepository(repository, settings, ports, queue, signal),
      onFailure: complain,
    }),
    pollMs: 24 * 3_600_000,
    graceMs: 10_000,
    repeated: [],
    observe: () => undefined,
    clock,
  },
  stop.signal,
).catch((error: unknown) => complain(String(error)));
ended.abort();
await sending;
writeCpu();
home[Symbol.dispose]();
await sql[Symbol.asyncDispose]();
await world[Symbol.asyncDispose]();
