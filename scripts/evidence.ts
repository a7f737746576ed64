/**
 * `npm run evidence -- DIR`: plays a folder of labelled evidence data against published npm packages.
 *
 * `--pairs`: searches the range of every pair; `--only ID,ID` takes some of them. `--predictions FILE` keeps what was found
 * in the form that the folder's `score.mjs` reads; a later run with the same file goes on where this one ended. `--json`
 * prints one JSON document.
 *
 * `--history PAIR --to FOLDER`: makes the git repository of one pair, one tagged commit for each version, and ends.
 *
 * Needs the npm registry once; what npm installed stays in node_modules/.cache/afk-triage.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  buildPackageHistory,
  type EvidencePair,
  type PairReport,
  readPairs,
  runPair,
} from "../test/evidence-packages/index.ts";

const CACHE = join(import.meta.dirname, "..", "node_modules", ".cache", "afk-triage", "evidence-packages");

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: "boolean", default: false },
    only: { type: "string" },
    predictions: { type: "string" },
    json: { type: "boolean", default: false },
    history: { type: "string" },
    to: { type: "string" },
  },
});
const [directory] = positionals;
if (directory === undefined || (flags.history === undefined) === !flags.pairs)
  refuse(
    "usage: npm run evidence -- DIR --pairs [--only ID,ID] [--predictions FILE] [--json] | --history PAIR --to FOLDER",
  );
const pairs = await readPairs(directory);
await (flags.history === undefined ? searchRanges(pairs) : makeHistory(flags.history, flags.to));

async function searchRanges(all: readonly EvidencePair[]): Promise<void> {
  const only = flags.only?.split(",");
  const predictions = await readPredictions();
  const reports: PairReport[] = [];
  for (const pair of all.filter(({ id }) => only?.includes(id) ?? predictions.pairs[id] === undefined)) {
    const report = await runPair(pair, versionsOf(pair.package, all), CACHE);
    reports.push(report);
    predictions.pairs[pair.id] = report.prediction;
    if (flags.predictions !== undefined)
      await writeFile(flags.predictions, `${JSON.stringify(predictions, null, 1)}\n`);
    const { firstBad, firstFixed } = report.prediction;
    process.stderr.write(
      `${pair.id}: first bad ${firstBad}, first fixed ${firstFixed}, ${report.seconds.toFixed(1)} s\n`,
    );
  }
  if (flags.json) process.stdout.write(`${JSON.stringify({ pairs: reports }, null, 2)}\n`);
}

interface Predictions {
  scripts: Record<string, unknown>;
  pairs: Record<string, PairReport["prediction"]>;
}

async function readPredictions(): Promise<Predictions> {
  const empty: Predictions = { scripts: {}, pairs: {} };
  if (flags.predictions === undefined) return empty;
  const text = await readFile(flags.predictions, "utf8").catch(() => "{}");
  return { ...empty, ...(JSON.parse(text) as Partial<Predictions>) };
}

async function makeHistory(id: string, to: string | undefined): Promise<void> {
  const pair = pairs.find((one) => one.id === id);
  if (pair === undefined) refuse(`${directory} has no pair ${id}`);
  if (to === undefined) refuse("--history needs --to FOLDER");
  const versions = versionsOf(pair.package, pairs);
  const built = await buildPackageHistory(pair.package, versions, { cache: CACHE, directory: to });
  process.stdout.write(`${JSON.stringify(built, null, 2)}\n`);
}

/** Every version that a pair of the package names. */
function versionsOf(packageName: string, all: readonly EvidencePair[]): string[] {
  const named = all.filter((one) => one.package === packageName).flatMap((one) => one.versionsTested);
  return [...new Set(named)];
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
