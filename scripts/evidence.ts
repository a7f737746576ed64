/**
 * `npm run evidence -- DIR`: plays a folder of labelled evidence data against published npm packages, on the local provider, in
 * clones of git repositories with one tagged commit for each published version.
 *
 * With `--scripts` it verifies every script, with `--pairs` it searches the range of every pair; without either it does both. The
 * option `--only ID,ID` selects some of them. `--jobs N`: verifications at a time (default 2). `--predictions FILE` stores the
 * results in the form that the folder's `score.mjs` reads; a later run with the same file continues where this one ended.
 * `--json` prints one JSON document.
 *
 * `--own`: plays this project's labelled scripts on small packages of every shape instead; `--only` accepts parts of their names.
 *
 * `--history PAIR --to FOLDER`: creates the git repository of one pair, with one tagged commit for each version, and exits.
 *
 * The first run needs the npm registry; installed packages stay in node_modules/.cache/afk-triage.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  buildPackageHistory,
  type EvidencePair,
  type PairReport,
  type PlayedOwnScript,
  type PlayedScript,
  playOwnScripts,
  playScripts,
  predictionOf,
  readPairs,
  readScripts,
  runPair,
} from "../test/evidence-packages/index.ts";
import { refuseArguments, scriptArguments } from "./script-arguments.ts";

const CACHE = join(import.meta.dirname, "..", "node_modules", ".cache", "afk-triage", "evidence-packages");

const { values: flags, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    scripts: { type: "boolean", default: false },
    pairs: { type: "boolean", default: false },
    only: { type: "string" },
    jobs: { type: "string", default: "2" },
    predictions: { type: "string" },
    json: { type: "boolean", default: false },
    own: { type: "boolean", default: false },
    history: { type: "string" },
    to: { type: "string" },
  },
});
const [directory] = positionals;
const jobs = Number(flags.jobs);
if (!Number.isInteger(jobs) || jobs < 1)
  refuseArguments(import.meta.url, `--jobs takes a number from 1, not ${flags.jobs}`);
const only = flags.only?.split(",");
if (flags.own) {
  await playOwn();
  process.exit();
}
if (directory === undefined) refuseArguments(import.meta.url, "name the folder of evidence data");
const pairs = await readPairs(directory);
await (flags.history === undefined ? play(directory) : makeHistory(flags.history, flags.to));

/** Exits with code 1 if a script's verdict differs from its label. */
async function playOwn(): Promise<void> {
  const onPlayed = (played: PlayedOwnScript): void => {
    process.stderr.write(played.isAsLabelled ? "  " : "! ");
    sayScript(played);
  };
  const isWanted = (id: string): boolean => only === undefined || only.some((one) => id.includes(one));
  const played = await playOwnScripts(isWanted, { jobs, onPlayed });
  const labels = [...new Set(played.map(({ label }) => label))];
  const counts = labels.map((label) => {
    const these = played.filter((one) => one.label === label);
    return { label, hit: these.filter((one) => one.isAsLabelled).length, of: these.length };
  });
  if (flags.json) process.stdout.write(`${JSON.stringify({ counts, scripts: played }, null, 2)}\n`);
  for (const { label, hit, of } of counts) process.stderr.write(`${label}: ${hit} of ${of} as labelled\n`);
  if (played.some((one) => !one.isAsLabelled)) process.exitCode = 1;
}

async function play(folder: string): Promise<void> {
  const isEverything = flags.scripts === flags.pairs;
  const predictions = await readPredictions();
  const scripts = isEverything || flags.scripts ? await verifyScripts(folder, predictions) : [];
  const ranges = isEverything || flags.pairs ? await searchRanges(predictions) : [];
  if (flags.json) process.stdout.write(`${JSON.stringify({ scripts, pairs: ranges }, null, 2)}\n`);
}

async function verifyScripts(folder: string, predictions: Predictions): Promise<PlayedScript[]> {
  const wanted = (await readScripts(folder)).filter(
    ({ id }) => only?.includes(id) ?? predictions.scripts[id] === undefined,
  );
  const onPlayed = async (played: PlayedScript): Promise<void> => {
    predictions.scripts[played.id] = { verdict: predictionOf(played) };
    sayScript(played);
    await keep(predictions);
  };
  return wanted.length === 0 ? [] : playScripts(wanted, pairs, { buildRepository, jobs, onPlayed });
}

function sayScript({ id, verification, seconds }: PlayedScript): void {
  const said =
    verification.type === "impossible"
      ? ["impossible", verification.reason]
      : [
          `${verification.verdict.type}, ${verification.records.length} runs`,
          "reason" in verification.verdict ? verification.verdict.reason : "",
        ];
  process.stderr.write(`${id}: ${said.join(", ").slice(0, 250)}, ${seconds.toFixed(1)} s\n`);
}

function buildRepository(name: string, versions: readonly string[], to: string): Promise<unknown> {
  return buildPackageHistory(name, versions, { cache: CACHE, directory: to });
}

async function searchRanges(predictions: Predictions): Promise<PairReport[]> {
  const reports: PairReport[] = [];
  for (const pair of pairs.filter(({ id }) => only?.includes(id) ?? predictions.pairs[id] === undefined)) {
    const report = await runPair(pair, versionsOf(pair.package, pairs), CACHE);
    reports.push(report);
    predictions.pairs[pair.id] = report.prediction;
    await keep(predictions);
    const { firstBad, firstFixed } = report.prediction;
    process.stderr.write(
      `${pair.id}: first bad ${firstBad}, first fixed ${firstFixed}, ${report.seconds.toFixed(1)} s\n`,
    );
  }
  return reports;
}

interface Predictions {
  scripts: Record<string, { verdict: "accept" | "flaky" | "refuse" }>;
  pairs: Record<string, PairReport["prediction"]>;
}

async function readPredictions(): Promise<Predictions> {
  const empty: Predictions = { scripts: {}, pairs: {} };
  if (flags.predictions === undefined) return empty;
  const text = await readFile(flags.predictions, "utf8").catch(() => "{}");
  return { ...empty, ...(JSON.parse(text) as Partial<Predictions>) };
}

async function keep(predictions: Predictions): Promise<void> {
  if (flags.predictions !== undefined)
    await writeFile(flags.predictions, `${JSON.stringify(predictions, null, 1)}\n`);
}

async function makeHistory(id: string, to: string | undefined): Promise<void> {
  const pair = pairs.find((one) => one.id === id);
  if (pair === undefined) refuseArguments(import.meta.url, `${directory} has no pair ${id}`);
  if (to === undefined) refuseArguments(import.meta.url, "--history needs --to FOLDER");
  const versions = versionsOf(pair.package, pairs);
  const built = await buildPackageHistory(pair.package, versions, { cache: CACHE, directory: to });
  process.stdout.write(`${JSON.stringify(built, null, 2)}\n`);
}

function versionsOf(packageName: string, all: readonly EvidencePair[]): string[] {
  const named = all.filter((one) => one.package === packageName).flatMap((one) => one.versionsTested);
  return [...new Set(named)];
}
