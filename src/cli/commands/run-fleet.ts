import { OperationalError, systemClock, systemIds } from "agent-tty/kit";
import type { ProgramSettings, RunEnvironment } from "../../config/index.ts";
import {
  awaitRepository,
  createFleetMetrics,
  createReceiver,
  type FleetErrorCode,
  type FleetObserver,
  type FleetStatus,
  followedRepositories,
  followInstallations,
  followListed,
  type ListeningServer,
  openDeliveryInbox,
  openSpendLedger,
  parseBoardTokens,
  readFleetStatus,
  type Receiver,
  pruneRecords,
  reapRepository,
  reconcilingPoll,
  type Repeated,
  runFleetWorker,
  sendRecords,
  serveFleetBoard,
  serveOperation,
  serveWebhooks,
} from "../../fleet/index.ts";
import type { RepositoryName } from "../../github/index.ts";
import { openHomeDirectories, storePath } from "../../home/index.ts";
import { pruneAfterBatch } from "../../retention/index.ts";
import { createScopedLog, type ScopedLog } from "../../triage/index.ts";
import { parentIdentity } from "../../workspaces/index.ts";
import { echoLogOf } from "../output/index.ts";
import type { StopSignals } from "../stop-on-signals.ts";
import { fleetBudget, openFleetDatabase } from "../wiring/fleet/index.ts";
import { connectGithubSetup, githubCredential, type WiredPorts, wirePorts } from "../wiring/index.ts";
import { VERSION } from "../version.ts";
import type { CommandView } from "./run-batch-command.ts";

export interface FleetRun {
  environment: RunEnvironment;
  settings: ProgramSettings;
  workerHome: string;
  webhook: { port: number; host: string } | null;
  /** The place at which health, readiness and metrics are served; null: they are not. */
  operation: { port: number; host: string } | null;
  /** The place at which the board over the fleet is served; null: it is not. */
  board: { port: number; host: string } | null;
  view: CommandView;
  signals: StopSignals;
  observe: FleetObserver;
}

const HOUR_MS = 3_600_000;

/** Runs one fleet worker from its settings to its end. Returns the queue and the spend at the end. */
export async function runFleet(run: FleetRun): Promise<FleetStatus> {
  const { environment, settings, webhook, operation, board, signals, workerHome } = run;
  const clock = systemClock;
  const ids = systemIds(clock);
  const { fleet, home } = settings;
  const observers: FleetObserver[] = [run.observe];
  const observe: FleetObserver = (event) => {
    if (event.type === "batch") signals.track(event.event);
    for (const tell of observers) tell(event);
  };
  const onFailure = (message: string): void => observe({ type: "failure", message });
  if (webhook !== null && environment.webhookSecrets.length === 0) throw secretMissing();
  const boardTokens = board === null ? [] : parseBoardTokens(environment.boardTokens);
  await openHomeDirectories(home, { clock, ids });
  await using database = await openFleetDatabase({
    databaseUrl: environment.databaseUrl,
    home,
    caps: fleet,
    parallelism: settings.batch.parallelism,
    parent: await parentIdentity(),
    clock,
    ids,
    onFailure,
  });
  const { sql, queue } = database;
  const repositories = followedRepositories(sql);
  const installations = appInstallations(run);
  const follow = async (signal: AbortSignal): Promise<void> => {
    if (installations !== null) await followInstallations(repositories, installations, clock, signal);
  };
  const [chosen] = settings.batch.repos;
  if (installations === null && chosen === undefined) throw fleetEmpty();
  const first =
    chosen ?? (await awaitRepository(follow, { repositories, observe, clock }, signals.stop)).name;

  const logs: ScopedLog[] = [];
  using ports = await wirePorts(named(settings, first), environment, signals.stop, {
    echoLog: echoLogOf(run.view),
    workerHome,
    makeLog: (options) => {
      const log = createScopedLog(options);
      logs.push(log);
      return log;
    },
  });
  const viewer = await ports.reader.viewer(signals.stop);
  const listed = installations === null ? await followNamed() : null;
  const inbox = openDeliveryInbox(sql, { clock, queue, listed, onFailure });
  const rules = { accountId: viewer.id, appId: appIdOf(environment), quietMs: fleet.quietMs };
  const secrets = environment.webhookSecrets;
  const receiver = createReceiver({ inbox, secrets, rules, clock, onFailure });
  await using server = webhook === null ? null : await serve(receiver, webhook);
  for (const message of ports.warnings) observe({ type: "batch", event: { type: "warning", message } });
  const spend = openSpendLedger(sql, fleetBudget(fleet), { clock, ids });
  const caps = { perRepository: fleet.perRepository, perOwner: fleet.perOwner };
  const readStatus = (): Promise<FleetStatus> =>
    readFleetStatus({ queue, repositories, spend, caps, budget: fleetBudget(fleet), clock });
  const boardPorts = { status: readStatus, tokens: boardTokens, ids, onFailure };
  await using shown = board === null ? null : await serveFleetBoard(boardPorts, board);
  const metrics = createFleetMetrics({
    version: VERSION,
    kind: database.kind,
    queue,
    spend,
    receiver,
    clock,
  });
  observers.push(metrics.observe);
  const isDraining = (): boolean => signals.stop.aborted;
  await using served =
    operation === null ? null : await serveOperation({ queue, metrics, isDraining, clock }, operation);
  observe({
    type: "fleet-started",
    queue: database.kind,
    repositories: (await repositories.all()).length,
    parallelism: settings.batch.parallelism,
    webhookPort: server?.port ?? null,
    opsPort: served?.port ?? null,
    boardPort: shown?.port ?? null,
  });
  const [scoped] = logs;
  await using _sending = sending();
  await runFleetWorker(
    {
      settings: settings.batch,
      ports: {
        queue,
        repositories,
        spend,
        batch: ports,
        withLog: (work) =>
          scoped === undefined
            ? work(() => undefined)
            : scoped.scope((log) => work((event) => log.observe(event))),
        observe,
        clock,
        ids,
      },
      inbox,
      poll: reconcilingPoll({
        sql,
        queue,
        readerOf: () => ports.reader,
        afterwards: (repository, signal) =>
          reapRepository(repository, settings.batch, { ...ports, observe: batchEvent }, queue, signal),
        onFailure,
      }),
      pollMs: fleet.pollMs,
      graceMs: fleet.graceMs,
      repeated: [
        { name: "read the installations of the App", everyMs: HOUR_MS, run: follow },
        ...tidying(ports),
        ...pruning(),
      ],
      observe,
      clock,
    },
    signals.stop,
  );
  return await readStatus();

  /** Follows the repositories that the settings name, and returns their ids. */
  async function followNamed(): Promise<ReadonlySet<number>> {
    const found = [];
    for (const repo of settings.batch.repos)
      found.push({ id: (await ports.reader.repository(repo, signals.stop)).id, name: repo });
    await followListed(repositories, found, { nowMs: clock.nowMs() });
    return new Set(found.map(({ id }) => id));
  }

  function batchEvent(event: Parameters<WiredPorts["log"]["observe"]>[0]): void {
    ports.log.observe(event);
    observe({ type: "batch", event });
  }

  /**
   * Sends the records of this worker's Triage Runs to PostgreSQL, for the fleet's board. Sends the remaining records when it is
   * disposed.
   */
  function sending(): AsyncDisposable {
    const ended = new AbortController();
    const sender = { storePath: storePath(workerHome), sql, clock, ids, onFailure };
    const sent = database.kind === "sqlite" ? Promise.resolve() : sendRecords(sender, ended.signal);
    return {
      [Symbol.asyncDispose]: async () => {
        ended.abort();
        await sent;
      },
    };
  }

  function pruning(): Repeated[] {
    const { ageMs } = settings.retention;
    if (database.kind === "sqlite" || ageMs === null) return [];
    const prune = (signal: AbortSignal): Promise<void> => pruneRecords(sql, clock.nowMs() - ageMs, signal);
    return [{ name: "remove old records of Triage Runs from PostgreSQL", everyMs: HOUR_MS, run: prune }];
  }

  /**
   * Returns the task that removes old files of the worker's own home. The home that workers share is left alone, because one
   * worker's database cannot show which of its files are still needed.
   */
  function tidying(wired: WiredPorts): Repeated[] {
    const tidy = (signal: AbortSignal): Promise<void> =>
      pruneAfterBatch(settings.retention, wired, batchEvent, signal);
    return [{ name: "remove old files of the home", everyMs: HOUR_MS, run: tidy }];
  }

  function serve(to: Receiver, at: { port: number; host: string }): Promise<ListeningServer> {
    return serveWebhooks(to, { ...at, clock });
  }
}

/** Returns the reader of the App's installations; null if the fleet signs in with a token, or if repositories are named. */
function appInstallations({ environment, settings }: FleetRun) {
  if (environment.githubToken !== null || settings.batch.repos.length > 0) return null;
  return connectGithubSetup(environment, githubCredential(environment, null)).installations;
}

function named(settings: ProgramSettings, repo: RepositoryName): ProgramSettings {
  return { ...settings, batch: { ...settings.batch, repos: [repo] } };
}

/** Returns the App's number, by which payloads identify it; null for a client id, which is not a number. */
function appIdOf({ appId }: RunEnvironment): number | null {
  return appId !== null && /^\d+$/.test(appId) ? Number(appId) : null;
}

function secretMissing(): OperationalError<FleetErrorCode> {
  return new OperationalError({
    code: "FLEET_SECRET_MISSING",
    message:
      "receive webhooks: AFK_TRIAGE_WEBHOOK_SECRET is not set, so webhooks from GitHub could not be distinguished from forged ones",
    remedy: "Set it to the webhook secret of the GitHub App or of the repository's webhook.",
  });
}

function fleetEmpty(): OperationalError<FleetErrorCode> {
  return new OperationalError({
    code: "FLEET_EMPTY",
    message:
      "choose the repositories of the fleet: neither --repo, GITHUB_REPOSITORY nor the config file names one",
    remedy: "Add --repo owner/name, or sign in as a GitHub App.",
  });
}
