import { resolve } from "node:path";
import { OperationalError, systemClock, systemIds } from "agent-tty/kit";
import {
  chooseSettings,
  type ConfigErrorCode,
  type ProgramSettings,
  readConfig,
  readEnvironment,
  type RunEnvironment,
  type RunFlags,
} from "../../config/index.ts";
import { followedRepositories, openSpendLedger, readFleetStatus } from "../../fleet/index.ts";
import { openHomeDirectories } from "../../home/index.ts";
import { parentIdentity } from "../../workspaces/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { fleetProgress, fleetStatusDocument, fleetStatusLines } from "../output/index.ts";
import { stopOnSignals, untilSignalled } from "../stop-on-signals.ts";
import { fleetBudget, openFleetDatabase } from "../wiring/fleet/index.ts";
import type { CommandView } from "./run-batch-command.ts";
import { runFleet } from "./run-fleet.ts";

export interface FleetRequest {
  flags: RunFlags;
  /** null: no webhooks are received. */
  webhook: { port: number; host: string } | null;
  /** null: health, readiness and metrics are not served. */
  operation: { port: number; host: string } | null;
  /** null: the board over the fleet is not served. */
  board: { port: number; host: string } | null;
  /** The worker's own directory; null: the directory that the environment names, otherwise the home. */
  workerHome: string | null;
}

interface Resolved {
  environment: RunEnvironment;
  settings: ProgramSettings;
}

/** `afk-triage fleet`: runs until it gets a signal. Returns the exit code. */
export async function fleetCommand(request: FleetRequest, view: CommandView): Promise<number> {
  const { environment, settings } = await resolveFleet(request);
  const workerHome = resolve(request.workerHome ?? environment.workerHome ?? settings.home);
  refuseEarned(settings, workerHome);
  using signals = stopOnSignals(view.output);
  return await untilSignalled(signals, view.output, async () => {
    const observe = fleetProgress(view, systemClock);
    const status = await runFleet({
      environment,
      settings,
      workerHome,
      webhook: request.webhook,
      operation: request.operation,
      board: request.board,
      view,
      signals,
      observe,
    });
    view.output.answer(fleetStatusLines(status, { isShared: environment.databaseUrl !== null }));
    view.output.document(fleetStatusDocument(status));
    return signals.exitCode() ?? exitCodes.done;
  });
}

/**
 * Throws CONFIG_INVALID if a level is `earned` and the worker has its own home. Trust facts are in the store of the worker that
 * recorded them. With its own home, each worker would earn a separate level, and a veto, which is recorded in the shared home,
 * would affect none of them (E4).
 */
function refuseEarned({ home, batch }: ProgramSettings, workerHome: string): void {
  const earned = Object.entries(batch.autonomy).flatMap(([kind, level]) =>
    level === "earned" ? [`autonomy.${kind}`] : [],
  );
  if (workerHome === resolve(home) || earned.length === 0) return;
  const keys = earned.join(", ");
  throw new OperationalError<ConfigErrorCode>({
    code: "CONFIG_INVALID",
    message: `start a fleet worker with the home ${workerHome} of its own: ${keys} ${earned.length === 1 ? "is" : "are"} earned, but each worker would record trust for itself, and no veto would reach it`,
    remedy: `Set ${keys} to apply, suggest, shadow or off in the config file, or run all workers on one machine without --worker-home (AFK_TRIAGE_WORKER_HOME).`,
  });
}

/** `afk-triage fleet --status`: shows the queue and this month's spend. It queries only the database. Returns the exit code. */
export async function fleetStatusCommand(request: FleetRequest, { output }: CommandView): Promise<number> {
  const { environment, settings } = await resolveFleet(request);
  const clock = systemClock;
  const ids = systemIds(clock);
  const { home, fleet, batch } = settings;
  await openHomeDirectories(home, { clock, ids });
  await using database = await openFleetDatabase({
    databaseUrl: environment.databaseUrl,
    home,
    caps: fleet,
    parallelism: batch.parallelism,
    parent: await parentIdentity(),
    clock,
    ids,
    onFailure: (message) => output.line(message),
  });
  const { sql, queue } = database;
  const budget = fleetBudget(fleet);
  const status = await readFleetStatus({
    queue,
    repositories: followedRepositories(sql),
    spend: openSpendLedger(sql, budget, { clock, ids }),
    caps: { perRepository: fleet.perRepository, perOwner: fleet.perOwner },
    budget,
    clock,
  });
  output.answer(fleetStatusLines(status, { isShared: environment.databaseUrl !== null }));
  output.document(fleetStatusDocument(status));
  return exitCodes.done;
}

async function resolveFleet({ flags }: FleetRequest): Promise<Resolved> {
  const environment = readEnvironment(process.env);
  const config = await readConfig(flags.config ?? null, environment);
  return { environment, settings: chooseSettings(flags, environment, config).settings };
}
