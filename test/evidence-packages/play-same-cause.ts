import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { systemClock, systemIds } from "agent-tty/kit";
import pLimit from "p-limit";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { type Range, rangeInPlace, type SameCause, sameCauseInPlace } from "../../src/evidence/index.ts";
import {
  createLocalProvider,
  parentIdentity,
  type ReadyWorkspace,
  shellQuote,
} from "../../src/workspaces/index.ts";

const CONTROLS = join(import.meta.dirname, "../../templates/controls");
const RUN_LIMIT_MS = 30_000;
const BUDGET_MS = 15 * 60_000;

/** A report with a reproduction, as a home stores it. */
export interface Report {
  readonly id: string;
  readonly package: string;
  /** The version that the report names; the script shows the bug there. */
  readonly version: string;
  readonly script: string;
  readonly expect: { readonly exitCode: number; readonly outputContains: string | null };
  /** Whether its range is searched beforehand, as for a report that a home has verified. */
  readonly isVerified: boolean;
}

export interface ReportPair {
  readonly first: Report;
  readonly second: Report;
}

export interface PlayedPair extends ReportPair {
  readonly decided: SameCause;
  readonly seconds: number;
}

export interface PlayPairsOptions {
  /** Creates the git repository of a package at `to`, with a tag `v<version>` for each version. */
  readonly buildRepository: (packageName: string, to: string) => Promise<unknown>;
  readonly jobs: number;
  /** The ranges that an earlier run found, by report; new ranges are added. */
  readonly ranges: Map<string, Range>;
  readonly onPlayed: (played: PlayedPair) => void;
}

/**
 * Decides for each pair whether both reports have one cause, as the program does: in a local Coder workspace, on a clone of the
 * package's repository, with the ranges searched first. Each report's range is searched once.
 */
export async function playSameCause(
  pairs: readonly ReportPair[],
  options: PlayPairsOptions,
): Promise<PlayedPair[]> {
  await using directory = await temporaryDirectory();
  const place = await openPlaces(directory.path, options);
  const limit = pLimit(options.jobs);
  const searches = new Map<string, Promise<Range>>();
  const rangeOf = async (report: Report): Promise<Range | null> => {
    if (!report.isVerified) return null;
    const known = options.ranges.get(report.id);
    if (known !== undefined) return known;
    const searching =
      searches.get(report.id) ??
      place(report.package, async (shell, commitOf) =>
        rangeInPlace(
          {
            bad: await commitOf(report.version),
            head: null,
            budgetMs: BUDGET_MS,
            claim: report,
            setup: [],
            timeoutMs: RUN_LIMIT_MS,
          },
          shell,
        ),
      );
    searches.set(report.id, searching);
    const range = await searching;
    options.ranges.set(report.id, range);
    return range;
  };
  const adapters = {
    javascript: await readFile(join(CONTROLS, "javascript.cjs"), "utf8"),
    python: await readFile(join(CONTROLS, "python.py"), "utf8"),
  };
  const play = async ({ first, second }: ReportPair): Promise<PlayedPair> => {
    const startedMs = systemClock.monotonicMs();
    const known = { first: await rangeOf(first), second: await rangeOf(second) };
    const decided = await place(first.package, async (shell, commitOf) =>
      sameCauseInPlace(
        {
          first: { claim: first, bad: await commitOf(first.version), range: known.first },
          second: { claim: second, bad: await commitOf(second.version), range: known.second },
          setup: [],
          timeoutMs: RUN_LIMIT_MS,
          budgetMs: BUDGET_MS,
          adapters,
        },
        shell,
      ),
    );
    const played = { first, second, decided, seconds: (systemClock.monotonicMs() - startedMs) / 1_000 };
    options.onPlayed(played);
    return played;
  };
  return await Promise.all(pairs.map((pair) => limit(() => play(pair))));
}

type Shell = Parameters<typeof sameCauseInPlace>[1];
type Work<Result> = (shell: Shell, commitOf: (version: string) => Promise<string>) => Promise<Result>;

async function openPlaces(
  root: string,
  { buildRepository }: PlayPairsOptions,
): Promise<<Result>(packageName: string, work: Work<Result>) => Promise<Result>> {
  const ids = systemIds(systemClock);
  const parent = await parentIdentity();
  const provider = createLocalProvider({ root: join(root, "workspaces"), clock: systemClock, ids, parent });
  const repositories = new Map<string, Promise<string>>();
  const repositoryOf = (packageName: string): Promise<string> => {
    const to = join(root, `repository-${packageName.replaceAll(/\W/g, "_")}`);
    const building = repositories.get(packageName) ?? buildRepository(packageName, to).then(() => to);
    repositories.set(packageName, building);
    return building;
  };
  return async (packageName, work) => {
    const repository = await repositoryOf(packageName);
    const signal = AbortSignal.timeout(BUDGET_MS * 2);
    const name = `cause-${ids.hex(6)}`;
    const lease = { runId: "20260101T000000Z", issueKey: `evidence/${name}#1`, parent };
    const created = await provider.create({ name, lease }, signal);
    if (created.type !== "created") throw new Error(`the local Coder workspace ${name} is taken`);
    try {
      const workspace = await created.workspace.ready(signal, () => undefined);
      await run(
        workspace,
        `git clone --quiet --no-local --template= ${shellQuote(pathToFileURL(repository).href)} pristine`,
        signal,
      );
      const commitOf = (version: string): Promise<string> =>
        run(workspace, `git -C pristine rev-parse ${shellQuote(`v${version}^{commit}`)}`, signal);
      const shell = {
        workspace,
        directory: workspace.directory,
        clock: systemClock,
        signal,
        remainingMs: () => BUDGET_MS,
        tell: () => undefined,
      };
      return await work(shell, commitOf);
    } finally {
      await provider.destroy(created.workspace, AbortSignal.timeout(RUN_LIMIT_MS));
    }
  };
}

async function run(workspace: ReadyWorkspace, commandLine: string, signal: AbortSignal): Promise<string> {
  const line = `cd ${shellQuote(workspace.directory)} && ${commandLine}`;
  const result = await workspace.exec(line, { timeoutMs: RUN_LIMIT_MS, signal });
  if (result.type !== "exited" || result.exitCode !== 0)
    throw new Error(`${commandLine}: ${JSON.stringify(result)}`);
  return Buffer.from(result.stdout).toString().trim();
}
