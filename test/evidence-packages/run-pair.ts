import { join } from "node:path";
import { shellQuote, systemClock } from "agent-tty/kit";
import { type Range, type RangeEnd, rangeInPlace } from "../../src/evidence/index.ts";
import { clonePristine, localSearchShell, runInPlace } from "../support/local-search-shell.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import type { EvidencePair } from "./evidence-data.ts";
import { buildPackageHistory } from "./package-history.ts";

export interface PairReport {
  id: string;
  range: Range;
  prediction: { firstBad: string | null; firstFixed: string | null };
  seconds: number;
}

/** The time limit of a search; packages have up to a hundred versions. */
const BUDGET_MS = 15 * 60_000;
const RUN_LIMIT_MS = 60_000;

/**
 * Searches the range of one pair as the program does: in a local Coder workspace, on a clone of the package's history, from the
 * version that the report names. `versions` are the history's versions.
 */
export async function runPair(
  pair: EvidencePair,
  versions: readonly string[],
  cache: string,
): Promise<PairReport> {
  const startedMs = systemClock.monotonicMs();
  await using directory = await temporaryDirectory();
  const repository = join(directory.path, "repository");
  await buildPackageHistory(pair.package, versions, { cache, directory: repository });
  const signal = AbortSignal.timeout(BUDGET_MS + RUN_LIMIT_MS);
  await using shell = await localSearchShell(join(directory.path, "workspaces"), {
    budgetMs: BUDGET_MS,
    signal,
  });
  await clonePristine(shell, repository);
  const tag = shellQuote(`v${pair.reportVersion}`);
  const bad = await runInPlace(
    shell,
    `cd pristine && git checkout --quiet --detach ${tag} && git rev-parse HEAD`,
  );
  const range = await rangeInPlace(
    { bad, head: null, budgetMs: BUDGET_MS, claim: pair, setup: [], timeoutMs: RUN_LIMIT_MS },
    shell,
  );
  const seconds = (systemClock.monotonicMs() - startedMs) / 1_000;
  return { id: pair.id, range, prediction: predictionOf(range), seconds };
}

/** Returns the prediction in the terms of `score.mjs`: a version, `"initial"`, or null for never fixed and for unknown. */
function predictionOf({ firstBad, firstFixed }: Range): PairReport["prediction"] {
  return {
    firstBad: firstBad.type === "initial" ? "initial" : versionOf(firstBad),
    firstFixed: versionOf(firstFixed),
  };
}

function versionOf(end: RangeEnd): string | null {
  switch (end.type) {
    case "exact":
    case "initial":
      return end.at.version;
    case "interval":
      return end.upTo.version;
    case "never":
    case "unknown":
      return null;
  }
}
