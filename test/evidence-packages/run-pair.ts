import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { systemClock, systemIds } from "agent-tty/kit";
import { type Range, type RangeEnd, rangeInPlace } from "../../src/evidence/index.ts";
import {
  createLocalProvider,
  parentIdentity,
  type ReadyWorkspace,
  shellQuote,
} from "../../src/workspaces/index.ts";
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
  const ids = systemIds(systemClock);
  const provider = createLocalProvider({
    root: join(directory.path, "workspaces"),
    clock: systemClock,
    ids,
    parent: await parentIdentity(),
  });
  const signal = AbortSignal.timeout(BUDGET_MS + RUN_LIMIT_MS);
  const lease = { runId: pair.id, issueKey: `evidence/${pair.package}#1`, parent: await parentIdentity() };
  const created = await provider.create({ name: "evidence-pair", lease }, signal);
  if (created.type !== "created") throw new Error(`${pair.id}: the local Coder workspace is taken`);
  try {
    const ready = await created.workspace.ready(signal, () => undefined);
    const bad = await clone(ready, repository, `v${pair.reportVersion}`, signal);
    const range = await rangeInPlace(
      { bad, head: null, budgetMs: BUDGET_MS, claim: pair, setup: [], timeoutMs: RUN_LIMIT_MS },
      {
        workspace: ready,
        directory: ready.directory,
        clock: systemClock,
        signal,
        remainingMs: () => BUDGET_MS,
        tell: () => undefined,
      },
    );
    const seconds = (systemClock.monotonicMs() - startedMs) / 1_000;
    return { id: pair.id, range, prediction: predictionOf(range), seconds };
  } finally {
    await provider.destroy(created.workspace, AbortSignal.timeout(RUN_LIMIT_MS));
  }
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

/** Creates the pristine checkout of the place at a tag. Returns its commit. */
async function clone(
  workspace: ReadyWorkspace,
  repository: string,
  tag: string,
  signal: AbortSignal,
): Promise<string> {
  const commandLine = [
    `cd ${shellQuote(workspace.directory)}`,
    `git clone --quiet --no-local --template= ${shellQuote(pathToFileURL(repository).href)} pristine`,
    `cd pristine && git checkout --quiet --detach ${shellQuote(tag)} && git rev-parse HEAD`,
  ].join(" && ");
  const result = await workspace.exec(commandLine, { timeoutMs: RUN_LIMIT_MS, signal });
  if (result.type !== "exited" || result.exitCode !== 0)
    throw new Error(`clone ${repository} at ${tag}: ${JSON.stringify(result)}`);
  return Buffer.from(result.stdout).toString().trim();
}
