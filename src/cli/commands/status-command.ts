import { existsSync } from "node:fs";
import { OperationalError, systemClock } from "agent-tty/kit";
import { plainText, type RepositoryName } from "../../github/index.ts";
import { pullRequestStatus, selectDisplayPullRequest } from "../../runs/index.ts";
import { openStore, readRuns, type RunRow, type RunSelection } from "../../store/index.ts";
import { parentState } from "../../workspaces/index.ts";
import { readEnvironment, resolveHome, runsDirectory, storePath } from "../config/index.ts";
import { describeEvidence, findEvidence } from "../evidence/index.ts";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import { logLinesOfIssue, logPath } from "../log/index.ts";
import { formatDuration, type Output } from "../output/index.ts";

interface ReadOptions {
  home?: string;
  /** Look at the pull requests of the runs' issues first. */
  refresh?: boolean;
  /** Of `show`: the log lines of the Triage Run instead. */
  log?: boolean;
  repo: readonly string[];
}

/** `status` shows what is not settled, `list` the latest run of every issue: lines for people, JSON on stdout. */
export async function listRuns(
  view: "status" | "list",
  options: ReadOptions,
  output: Output,
): Promise<number> {
  const selection =
    view === "status" ? ({ type: "live" } as const) : ({ type: "latest", limit: 1_000 } as const);
  const rows = await readHome(options, selection, isWanted(options), output);
  for (const row of rows) output.line(describeKnown(row));
  if (rows.length === 0) output.line(view === "status" ? "no Triage Run is under way" : "no Triage Run yet");
  output.document({ schema: "afk-triage/runs@1", runs: rows });
  return exitCodes.done;
}

/** What became of one issue, and where the evidence is. */
export async function showRun(number: number, options: ReadOptions, output: Output): Promise<number> {
  const isIt = (row: RunRow): boolean => row.facts.number === number && isWanted(options)(row);
  const rows = await readHome(options, { type: "latest", limit: 1_000 }, isIt, output);
  const [row] = rows;
  if (row === undefined || rows.length > 1) {
    throw new OperationalError<CliErrorCode>({
      code: "RUN_NOT_FOUND",
      message: `show issue ${number}: this home knows ${rows.length} Triage Runs of that number`,
      remedy: rows.length > 1 ? "Say which repository with --repo." : "See `afk-triage list`.",
    });
  }
  output.line(describeKnown(row));
  for (const step of row.facts.progress.history) {
    output.line(`  ${new Date(step.atMs).toISOString()}  ${step.phase}`);
  }
  const { runId, repo } = row.facts;
  if (options.log === true) {
    const path = logPath(runsDirectory(homeOf(options)), runId);
    for await (const line of logLinesOfIssue(path, row.key)) await output.record(line);
    return exitCodes.done;
  }
  const evidence = await findEvidence(homeOf(options), runId, { repo: repo as RepositoryName, number });
  for (const line of describeEvidence(evidence)) output.line(`  ${plainText(line)}`);
  output.document({ schema: "afk-triage/run@1", run: row, evidence });
  return exitCodes.done;
}

const isWanted =
  ({ repo }: ReadOptions) =>
  ({ facts }: RunRow): boolean =>
    repo.length === 0 || repo.includes(facts.repo);

/** A run that is not settled says what its parent knew last; whether there still is a parent, only this machine can tell. */
interface KnownRun extends RunRow {
  /** null for a settled run, which needs none. */
  parentState: "alive" | "dead" | "unknown" | null;
}

async function readHome(
  { home, refresh = false }: ReadOptions,
  selection: RunSelection,
  isShown: (row: RunRow) => boolean,
  output: Output,
): Promise<KnownRun[]> {
  const environment = readEnvironment(process.env);
  const directory = resolveHome(home, environment);
  const path = storePath(directory);
  // Asking must not make a home: where there is no store there are no runs.
  if (!existsSync(path)) return [];
  using store = await openStore({ path, clock: systemClock });
  const read = (): RunRow[] => readRuns(store, systemClock.nowMs(), selection).filter(isShown);
  if (refresh) {
    const { refreshRuns } = await import("./refresh-runs.ts");
    await refreshRuns(read(), { directory, environment, store }, output);
  }
  const parentOf = ({ facts }: RunRow): string => store.batch(facts.runId)?.parent ?? "";
  const known: KnownRun[] = [];
  for (const row of read()) {
    const isLive = row.settledAtMs === null;
    known.push({ ...row, parentState: isLive ? await parentState(parentOf(row)) : null });
  }
  return known;
}

function describeKnown(row: KnownRun): string {
  const note = "  (as last known: its parent is dead, `afk-triage reap` settles it)";
  return `${describeRun(row)}${row.parentState === "dead" ? note : ""}`;
}

function homeOf({ home }: ReadOptions): string {
  return resolveHome(home, readEnvironment(process.env));
}

/** One line for people. */
export function describeRun({
  key,
  displayStatus,
  indicator,
  startedAtMs,
  settledAtMs,
  facts,
}: RunRow): string {
  const elapsed = formatDuration((settledAtMs ?? systemClock.nowMs()) - startedAtMs);
  const { progress } = facts;
  const phase =
    progress.phase === "settled" ? `${progress.end.status} (${progress.end.reason})` : progress.phase;
  return `${indicator.symbol} ${key}  ${displayStatus}  ${phase}  ${elapsed}${describePullRequest(facts)}`;
}

/** O4: the one pull request that is shown, by what it shows itself. */
function describePullRequest({ pullRequests }: RunRow["facts"]): string {
  const shown = selectDisplayPullRequest(pullRequests);
  return shown === null ? "" : `  PR #${shown.number} ${pullRequestStatus(shown) ?? "closed"}`;
}
