import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { OperationalError, systemClock, systemIds } from "agent-tty/kit";
import { issueKey, plainText, redactSecrets, type RepositoryName } from "../../github/index.ts";
import { type BatchFacts, openStore, type Store, takeExclusiveLock } from "../../store/index.ts";
import { undoBatch, type UndoneIssue } from "../../triage/index.ts";
import { parentState } from "../../workspaces/index.ts";
import { readEnvironment, type RunEnvironment } from "../../config/index.ts";
import { resolveHome, openProgramHome, type ProgramHome } from "../../home/index.ts";
import { connectGithub, githubCredential } from "../wiring/index.ts";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";
import { stopOnSignals, type StopSignals, untilSignalled } from "../stop-on-signals.ts";

export interface UndoCommandRequest {
  run: string;
  issue: readonly number[];
  dryRun: boolean;
  home?: string;
}

/** `afk-triage undo`. Returns 3 when an issue could not be undone because of a failure. */
export async function undoCommand(request: UndoCommandRequest, output: Output): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, () => undo(request, output, signals));
}

async function undo(request: UndoCommandRequest, output: Output, signals: StopSignals): Promise<number> {
  const environment = readEnvironment(process.env);
  const directory = resolveHome(request.home, environment);
  const ports = { clock: systemClock, ids: systemIds(systemClock) };
  // The database of a fleet worker with its own home has the batch, and the shared home has its audit log.
  using home = await openProgramHome(directory, ports, resolve(environment.workerHome ?? directory));
  const isHere = home.store.batch(request.run) !== null;
  const onFailure = (message: string): void => output.line(plainText(redactSecrets(message)));
  // This module is loaded only for a fleet, because the PostgreSQL client takes longer to load than the rest of the command.
  await using fleet =
    isHere || environment.databaseUrl === null
      ? null
      : await (
          await import("../wiring/fleet/index.ts")
        ).openFleetRuns(environment, directory, { ...ports, onFailure });
  using copy = fleet === null ? null : await openStore({ path: fleet.places.storePath, clock: systemClock });
  const recorded = copy ?? home.store;
  const batch = await finishedBatch(request.run, recorded, home, fleet?.places.parentState ?? parentState);
  const { runsDirectory } = home;
  using _alone = aloneWith(request.run, runsDirectory);
  const { reader, writer, suggestions } = await connect(environment, batch, home);
  const issues = await undoBatch(
    {
      runId: request.run,
      issues: request.issue.length === 0 ? null : request.issue,
      dryRun: request.dryRun,
    },
    {
      reader,
      writer,
      suggestions,
      runsDirectory,
      store: undoStore(home.store, recorded),
      clock: systemClock,
      observe: (undone) => output.line(describe(undone)),
    },
    signals.stop,
  );
  output.answer([describeTotals(issues, request.dryRun)]);
  output.document({ schema: "afk-triage/undo@1", runId: request.run, dryRun: request.dryRun, issues });
  const hasFailed = issues.some(({ status }) => status === "failed");
  return signals.exitCode() ?? (hasFailed ? exitCodes.issueFailed : exitCodes.done);
}

/** Returns the store for an undo. Trust facts are not among the records of a fleet, so they come from the home. */
function undoStore(own: Store, recorded: Store): Parameters<typeof undoBatch>[1]["store"] {
  return {
    recordTrustFact: (fact) => own.recordTrustFact(fact),
    trustFacts: (repo, number) => own.trustFacts(repo, number),
    runsOfBatch: (runId) => recorded.runsOfBatch(runId),
  };
}

/**
 * Returns the batch. Rejects with RUN_NOT_FOUND if it is not recorded, and with BATCH_STILL_RUNNING if its parent is alive.
 * `recorded`: the store of the home, or the copy of all records of a fleet.
 */
async function finishedBatch(
  runId: string,
  recorded: Store,
  home: ProgramHome,
  stateOf: typeof parentState,
): Promise<BatchFacts> {
  const batch = recorded.batch(runId);
  if (batch === null) {
    throw new OperationalError<CliErrorCode>({
      code: "RUN_NOT_FOUND",
      message: `undo the Triage Batch ${runId}: the home ${home.directory} has no such batch`,
      remedy: existsSync(join(home.runsDirectory, runId))
        ? "A fleet worker with a home of its own ran it: set AFK_TRIAGE_DATABASE_URL to the fleet's database, or AFK_TRIAGE_WORKER_HOME to that home."
        : "See `afk-triage list`; only the home that ran the batch can undo it.",
    });
  }
  if (batch.finished === null && (await stateOf(batch.parent)) === "alive") {
    throw new OperationalError<CliErrorCode>({
      code: "BATCH_STILL_RUNNING",
      message: `undo the Triage Batch ${runId}: its parent ${batch.parent} is still running`,
      remedy: "Wait until it has finished, or stop it (Ctrl-C), then run undo again.",
    });
  }
  return batch;
}

/** Takes the lock of an audit log. The log's chain has one writer: two undo processes at once would corrupt it. */
function aloneWith(runId: string, runsDirectory: string): Disposable {
  const lock = takeExclusiveLock(join(runsDirectory, runId, "undo.lock"));
  if (lock !== null) return lock;
  throw new OperationalError<CliErrorCode>({
    code: "BATCH_STILL_RUNNING",
    message: `undo the Triage Batch ${runId}: another undo of it is running`,
    remedy: "Wait until it has finished, then run undo again for what is left.",
  });
}

function connect(
  environment: RunEnvironment,
  batch: BatchFacts,
  home: ProgramHome,
): ReturnType<typeof connectGithub> {
  const [repository] = batch.repos;
  if (repository === undefined) throw new Error(`the batch ${batch.runId} names no repository`);
  return connectGithub(environment, githubCredential(environment, repository as RepositoryName), home);
}

function describeTotals(issues: readonly UndoneIssue[], dryRun: boolean): string {
  const counts = new Map<string, number>();
  for (const { status } of issues) counts.set(status, (counts.get(status) ?? 0) + 1);
  const told = [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
  return `${told === "" ? "nothing to undo" : told}${dryRun ? " (dry run: nothing was written)" : ""}`;
}

function describe({ repo, number, status, reason, steps, error }: UndoneIssue): string {
  const written = steps.map(({ type }) => type).join(", ");
  const why = reason ?? error?.message ?? written;
  const remedy = error === null ? "" : ` ${error.remedy}`;
  return `${issueKey({ repo, number })}  ${status}${why === "" ? "" : `: ${why}`}${remedy}`;
}
