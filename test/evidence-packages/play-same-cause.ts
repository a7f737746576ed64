import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { shellQuote, systemClock } from "agent-tty/kit";
import pLimit from "p-limit";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { type Range, rangeInPlace, type SameCause, sameCauseInPlace } from "../../src/evidence/index.ts";
import type { SearchShell } from "../../src/evidence/range/index.ts";
import { clonePristine, localSearchShell, runInPlace } from "../support/local-search-shell.ts";

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
  const place = openPlaces(directory.path, options);
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

type Work<Result> = (shell: SearchShell, commitOf: (version: string) => Promise<string>) => Promise<Result>;

function openPlaces(
  root: string,
  { buildRepository }: PlayPairsOptions,
): <Result>(packageName: string, work: Work<Result>) => Promise<Result> {
  let opened = 0;
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
    const place = join(root, `place-${(opened += 1)}`);
    await using shell = await localSearchShell(place, { budgetMs: BUDGET_MS, signal });
    await clonePristine(shell, repository);
    return await work(shell, (version) =>
      runInPlace(shell, `git -C pristine rev-parse ${shellQuote(`v${version}^{commit}`)}`),
    );
  };
}
