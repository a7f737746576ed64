import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { shellQuote, systemClock } from "agent-tty/kit";
import { gradeLine } from "../../evidence/index.ts";
import { type IssueRef, plainText, type RepositoryName } from "../../github/index.ts";
import { hangingLines } from "../../layout/index.ts";
import { openStore, readRuns, type RunRow, type RunSelection } from "../../store/index.ts";
import { runDirectory, describeLogLine, logLinesOfIssue, logPath } from "../../triage/index.ts";
import { parentState } from "../../workspaces/index.ts";
import { commandHint } from "../command-hint.ts";
import { readEnvironment } from "../../config/index.ts";
import {
  existingStorePath,
  resolveHome,
  runsDirectory,
  describeEvidence,
  findEvidence,
} from "../../home/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { fateOf, type Output, proseLines, runBlock } from "../output/index.ts";
import { notFound } from "./run-of-issue.ts";

interface ReadOptions {
  home?: string;
  /** Reads the pull requests of the runs' issues from GitHub first. */
  refresh?: boolean;
  /** `show --log`: prints the log lines of the Triage Run instead. */
  log?: boolean;
  /** `list` only: the maximum number of runs. */
  limit?: number;
  repo: readonly string[];
}

/** The number of runs that `list` shows by default. */
const DEFAULT_LIMIT = 100;
/** The maximum number of earlier runs that `show` names. */
const MAX_EARLIER = 20;
/**
 * An upper bound for the number of runs in the answer to a query: no home has this many repositories with an issue of the same
 * number.
 */
const MANY = 1_000;

/** Prints runs: `status` those that are not settled, `list` the latest run of every issue. */
export async function listRuns(
  view: "status" | "list",
  options: ReadOptions,
  output: Output,
): Promise<number> {
  const { limit = DEFAULT_LIMIT, repo: repos } = options;
  const selection =
    view === "status" ? ({ type: "live" } as const) : ({ type: "latest", limit, repos } as const);
  const rows = await readHome(options, selection, isWanted(options), output);
  const blocks = await Promise.all(rows.map((row) => describeKnown(row, options, output)));
  output.answer(
    rows.length === 0
      ? proseLines(
          `no Triage Run${ofRepositories(repos)} ${view === "status" ? "is in progress" : "yet"} in ${homeOf(options)}`,
          output,
        )
      : [
          ...blocks.flat(),
          ...(view === "list" && rows.length === limit ? [`the newest ${limit}; more with --limit`] : []),
        ],
  );
  const kept = view === "status" ? await readKept(options) : [];
  output.answer(kept.map(({ name, key, until }) => `kept for inspection until ${until}: ${name} of ${key}`));
  output.document({ schema: "afk-triage/runs@1", runs: rows, ...(kept.length === 0 ? {} : { kept }) });
  return exitCodes.done;
}

/**
 * Returns the part of a message that names the repositories. Without it, the message would call a home with the runs of other
 * repositories empty.
 */
function ofRepositories(repos: readonly string[]): string {
  return repos.length === 0 ? "" : ` of ${repos.join(", ")}`;
}

/** Returns the Coder workspaces of failed runs that this home's batches keep for people and whose time is not over. */
async function readKept(options: ReadOptions): Promise<{ name: string; key: string; until: string }[]> {
  const path = existingStorePath(homeOf(options));
  if (path === null) return [];
  using store = await openStore({ path, clock: systemClock });
  const { repo: repos } = options;
  return store.holdingRuns().flatMap(({ coderWorkspace, result, repo, number }) => {
    const untilMs = result?.keptUntilMs ?? 0;
    const isShown = repos.length === 0 || repos.includes(repo);
    if (coderWorkspace.state !== "kept" || !isShown || untilMs <= systemClock.nowMs()) return [];
    return [{ name: coderWorkspace.name, key: `${repo}#${number}`, until: new Date(untilMs).toISOString() }];
  });
}

export async function showRun(number: number, options: ReadOptions, output: Output): Promise<number> {
  const selection = { type: "latest", limit: MANY, repos: options.repo, number } as const;
  const rows = await readHome(options, selection, () => true, output);
  const [row] = rows;
  if (row === undefined || rows.length > 1) {
    throw notFound("show", { number, home: homeOf(options), count: rows.length });
  }
  if (options.log === true) {
    const path = logPath(runsDirectory(homeOf(options)), row.facts.runId);
    for await (const line of logLinesOfIssue(path, row.key)) await output.record(line, describeLogLine(line));
    return exitCodes.done;
  }
  const evidence = await findEvidence(homeOf(options), row.facts.runId, refOf(row));
  const { repo, runId } = row.facts;
  const ofIssue = { type: "issue", repo, number, limit: MAX_EARLIER + 1 } as const;
  const isEarlier = ({ facts }: RunRow): boolean => facts.runId !== runId;
  const earlier = await readHome({ ...options, refresh: false }, ofIssue, isEarlier, output);
  const grade = row.facts.result?.evidence ?? null;
  const history = row.facts.progress.history.map(
    ({ phase, atMs }) => `  ${new Date(atMs).toISOString()}  ${phase}`,
  );
  output.answer([
    ...(await describeKnown(row, options, output)),
    "",
    ...(grade === null
      ? []
      : [...hangingLines("grade: ", plainText(gradeLine(grade)), output.answerColumns), ""]),
    "history:",
    ...history,
    ...earlierLines(earlier),
    // A path is printed unbroken, however long, because people copy it.
    ...describeEvidence(evidence).map((line) => plainText(line)),
    ...sessionLines(row, options),
  ]);
  const ids = earlier.map(({ facts }) => facts.runId);
  const known = ids.length === 0 ? {} : { earlier: ids };
  output.document({ schema: "afk-triage/run@1", run: row, evidence, ...known });
  return exitCodes.done;
}

/** Returns a line for each run. `undo --run` and `report --batch` take the run ids. */
function earlierLines(earlier: readonly KnownRun[]): string[] {
  const lines = earlier.map((row) => {
    const { word, result } = fateOf({ ...row, isParentDead: row.parentState === "dead" });
    return `  ${row.facts.runId}  ${word} → ${plainText(result)}`;
  });
  return lines.length === 0 ? [] : ["earlier runs of the issue:", ...lines];
}

/** Returns a line with the Session and the command that reports what its coding TUI did. */
function sessionLines({ facts: { sessionId } }: RunRow, { home }: ReadOptions): string[] {
  if (sessionId === null) return [];
  const place = home === undefined ? "" : ` --home ${pastable(resolve(home))}`;
  return [`session: ${sessionId}  (${commandHint("afk-triage")} track ${sessionId}${place})`];
}

const isWanted =
  ({ repo }: ReadOptions) =>
  ({ facts }: RunRow): boolean =>
    repo.length === 0 || repo.includes(facts.repo);

/**
 * A run with its parent's state. A run that is not settled has the last state that its parent stored. Only this machine can
 * determine whether that parent still exists.
 */
interface KnownRun extends RunRow {
  /** null for a settled run, whose parent does not matter. */
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
  const path = existingStorePath(directory);
  if (path === null) return [];
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

/** Returns the grade of the parent's own runs; null when it made none, or when an older program did not record them. */
function shortGrade({ facts }: RunRow): string | null {
  const evidence = facts.result?.evidence ?? null;
  return evidence === null
    ? null
    : `evidence: ${evidence.verdict}, ${evidence.runs.replace("/", " of ")} runs`;
}

async function describeKnown(row: KnownRun, options: ReadOptions, output: Output): Promise<string[]> {
  const [home, ref] = [homeOf(options), refOf(row)];
  const { runId } = row.facts;
  const recording = join(runDirectory(runsDirectory(home), runId, ref), "recording.cast");
  const shown = {
    row,
    isParentDead: row.parentState === "dead",
    evidence: shortGrade(row),
    play: existsSync(recording) ? `${commandHint("agent-tty")} play ${pastable(recording)}` : null,
  };
  return runBlock(shown, { columns: output.answerColumns, paint: output.paint });
}

/** Returns a path for a command line, relative to `~` if that is shorter. */
function pastable(path: string): string {
  const quoted = shellQuote(path);
  const start = `${homedir()}/`;
  return quoted.startsWith(start) ? `~/${quoted.slice(start.length)}` : quoted;
}

function refOf({ facts }: RunRow): IssueRef {
  return { repo: facts.repo as RepositoryName, number: facts.number };
}

function homeOf({ home }: ReadOptions): string {
  return resolveHome(home, readEnvironment(process.env));
}
