/**
 * Usage: `npm run duplicates:proven -- DIR`. Builds pairs of reports from a folder of evidence data, and checks for each pair
 * whether both reports have the same cause (D5), in git repositories with one commit for each published version.
 *
 * A true pair is two scripts for one bug; a look-alike is two bugs of one package. `--jobs N`: pairs at a time (default 2). The
 * option `--only ID,ID` selects the pairs with one of these bugs, `--limit N` at most N pairs of each kind; `--json` prints one
 * document. With `--ranges FILE` the ranges found are stored; a later run with the same file does not search for them again. The
 * exit code is 1 if a look-alike is called a duplicate or a true pair is not proven. The first run needs the npm registry.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildPackageHistory,
  type EvidencePair,
  playSameCause,
  type PlayedPair,
  readPairs,
  type Report,
  type ReportPair,
} from "../test/evidence-packages/index.ts";
import { refuseArguments, scriptArguments } from "./script-arguments.ts";

const CACHE = join(import.meta.dirname, "..", "node_modules", ".cache", "afk-triage", "evidence-packages");
const { values: flags, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "2" },
    only: { type: "string" },
    limit: { type: "string", default: "1000" },
    ranges: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const [directory] = positionals;
if (directory === undefined) {
  refuseArguments(import.meta.url, "name the folder of evidence data");
}

const bugs = await readPairs(directory);
const wanted = flags.only?.split(",");
const isWanted = (...ids: string[]): boolean => wanted === undefined || ids.some((id) => wanted.includes(id));
const limit = Number(flags.limit);
const kinds = { true: truePairs(directory).slice(0, limit), "look-alike": lookAlikes().slice(0, limit) };
const ranges = readRanges();
const played: { kind: keyof typeof kinds; pair: PlayedPair }[] = [];
for (const kind of ["true", "look-alike"] as const) {
  await playSameCause(kinds[kind], {
    jobs: Number(flags.jobs),
    ranges,
    buildRepository: (name, to) =>
      buildPackageHistory(name, versionsOf(name), { cache: CACHE, directory: to }),
    onPlayed: (pair) => {
      played.push({ kind, pair });
      if (flags.ranges !== undefined) writeFileSync(flags.ranges, JSON.stringify([...ranges]));
      say(kind, pair);
    },
  });
}
const proven = (kind: string): number =>
  played.filter((one) => one.kind === kind && one.pair.decided.type === "proven").length;
const counts = {
  truePairs: kinds.true.length,
  trueProven: proven("true"),
  lookAlikes: kinds["look-alike"].length,
  lookAlikesCalledDuplicates: proven("look-alike"),
};
if (flags.json)
  process.stdout.write(
    `${JSON.stringify({ ...counts, pairs: played.map(({ kind, pair }) => ({ kind, first: pair.first.id, second: pair.second.id, decided: pair.decided, seconds: pair.seconds })) }, null, 2)}\n`,
  );
process.stderr.write(
  `true pairs proven: ${counts.trueProven} of ${counts.truePairs}; look-alikes called duplicates: ${counts.lookAlikesCalledDuplicates} of ${counts.lookAlikes}\n`,
);
if (counts.trueProven < counts.truePairs || counts.lookAlikesCalledDuplicates > 0) process.exitCode = 1;

/** Pairs each bug's own script with every other genuine script for it. The label only says which bug a script is about. */
function truePairs(folder: string): ReportPair[] {
  const scripts = JSON.parse(readFileSync(join(folder, "scripts.json"), "utf8")) as {
    id: string;
    pair: string;
    label: string;
    script: string;
    expect: Report["expect"];
  }[];
  return scripts
    .filter(({ label }) => label === "accept")
    .flatMap(({ id, pair, script, expect }) => {
      const bug = bugs.find((one) => one.id === pair);
      if (bug === undefined || !isWanted(bug.id)) return [];
      const first = reportOf(bug);
      return [{ first, second: { ...first, id, script, expect, isVerified: false } }];
    });
}

function lookAlikes(): ReportPair[] {
  return bugs.flatMap((bug, index) =>
    bugs
      .slice(index + 1)
      .filter((other) => other.package === bug.package && isWanted(bug.id, other.id))
      .map((other) => ({ first: reportOf(bug), second: reportOf(other) })),
  );
}

function reportOf({ id, package: name, reportVersion, script, expect }: EvidencePair): Report {
  return { id, package: name, version: reportVersion, script, expect, isVerified: true };
}

type Ranges = Parameters<typeof playSameCause>[1]["ranges"];

function readRanges(): Ranges {
  if (flags.ranges === undefined || !existsSync(flags.ranges)) return new Map();
  return new Map(JSON.parse(readFileSync(flags.ranges, "utf8")) as [string, never][]);
}

function versionsOf(packageName: string): string[] {
  return [...new Set(bugs.filter((one) => one.package === packageName).flatMap((one) => one.versionsTested))];
}

function say(kind: string, { first, second, decided, seconds }: PlayedPair): void {
  const why =
    decided.type === "proven"
      ? JSON.stringify(decided.tie)
      : decided.type === "undecided"
        ? decided.reason
        : decided.commit;
  const mark = (decided.type === "proven") === (kind === "true") ? " " : "!";
  process.stderr.write(
    `${mark} ${kind} ${first.id} ${second.id}: ${decided.type} ${why.slice(0, 160)} ${seconds.toFixed(1)} s\n`,
  );
}
