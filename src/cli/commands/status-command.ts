import { existsSync } from "node:fs";
import { OperationalError, systemClock } from "agent-tty/kit";
import { openStore, readRuns, type RunRow } from "../../store/index.ts";
import { readEnvironment, resolveHome, storePath } from "../config/index.ts";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import { formatDuration, type Output } from "../output/index.ts";

interface ReadOptions {
  home?: string;
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
  const rows = (await readHome(options, selection)).filter(
    (row) => options.repo.length === 0 || options.repo.includes(row.facts.repo),
  );
  for (const row of rows) output.line(describeRun(row));
  if (rows.length === 0) output.line(view === "status" ? "no Triage Run is under way" : "no Triage Run yet");
  output.document({ schema: "afk-triage/runs@1", runs: rows });
  return exitCodes.done;
}

export async function showRun(number: number, options: ReadOptions, output: Output): Promise<number> {
  const rows = (await readHome(options, { type: "latest", limit: 1_000 })).filter(
    ({ facts }) =>
      facts.number === number && (options.repo.length === 0 || options.repo.includes(facts.repo)),
  );
  const [row] = rows;
  if (row === undefined || rows.length > 1) {
    throw new OperationalError<CliErrorCode>({
      code: "RUN_NOT_FOUND",
      message: `show issue ${number}: this home knows ${rows.length} Triage Runs of that number`,
      remedy: rows.length > 1 ? "Say which repository with --repo." : "See `afk-triage list`.",
    });
  }
  output.line(describeRun(row));
  for (const step of row.facts.progress.history) {
    output.line(`  ${new Date(step.atMs).toISOString()}  ${step.phase}`);
  }
  output.document({ schema: "afk-triage/run@1", run: row });
  return exitCodes.done;
}

async function readHome(options: ReadOptions, selection: Parameters<typeof readRuns>[2]): Promise<RunRow[]> {
  const path = storePath(resolveHome(options.home, readEnvironment(process.env)));
  // Asking must not make a home: where there is no store there are no runs.
  if (!existsSync(path)) return [];
  using store = await openStore({ path, clock: systemClock });
  return readRuns(store, systemClock.nowMs(), selection);
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
  return `${indicator.symbol} ${key}  ${displayStatus}  ${phase}  ${elapsed}`;
}
