/**
 * `npm run sweep:backlog -- DIR`: files a generated backlog over repositories built from the npm packages of a folder of
 * evidence data (bugs that were fixed later, bugs that are still there, misuse) on an emulated GitHub, sweeps it with the built
 * program on the local provider, kills that program at random moments, and compares every verdict with the truth.
 *
 * `--count N` issues (default 60) in batches of `--batch N` (default 50), `--kills N` (default 5), `--jobs N` at a time
 * (default 2), `--seed N`, `--json` one JSON document. `--only ID,ID` plays only the issues of these pairs of the backlog.
 * `--keep DIR` keeps repositories, homes and reports there: a later run with the same arguments continues after the last finished
 * batch. The exit code is 1 if fewer than 99 % of the verdicts are correct, if a close was proposed without fail-before and
 * pass-after, if a comment was duplicated, or if an issue was processed twice.
 *
 * The first run needs the npm registry; installed packages stay in node_modules/.cache/afk-triage.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackageHistory, cutPackageHistory } from "../test/evidence-packages/index.ts";
import { buildProgram } from "../test/support/batch/program.ts";
import {
  generateBacklog,
  openProductStore,
  playInBatches,
  readEvidence,
  scoreSweep,
} from "../test/sweep-backlog/index.ts";
import { refuseArguments, scriptArguments } from "./script-arguments.ts";

const CACHE = join(import.meta.dirname, "..", "node_modules", ".cache", "afk-triage", "evidence-packages");

const { values: flags, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    count: { type: "string", default: "60" },
    batch: { type: "string", default: "50" },
    kills: { type: "string", default: "5" },
    jobs: { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
    keep: { type: "string" },
    json: { type: "boolean", default: false },
    only: { type: "string" },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  refuseArguments(import.meta.url, "name the folder of evidence data");
}
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const directory = flags.keep ?? (await mkdtemp(join(tmpdir(), "afk-triage-backlog-")));
await mkdir(directory, { recursive: true });
const seed = Number(flags.seed);
await using program = await buildProgram();
const only = flags.only?.split(",");
const issues = generateBacklog(await readEvidence(folder), Number(flags.count), seed).filter(
  ({ pair }) => only?.includes(pair) ?? true,
);
const report = await playInBatches({
  issues,
  size: Number(flags.batch),
  source: `${folder} ${seed}`,
  repositoryOf: openProductStore(directory, {
    build: ({ package: name, published }, to) =>
      buildPackageHistory(name, published, { cache: CACHE, directory: to }),
    cut: cutPackageHistory,
  }),
  program,
  directory,
  kills: Number(flags.kills),
  jobs: Number(flags.jobs),
  seed,
  say,
});
if (flags.keep === undefined) await rm(directory, { recursive: true, force: true, maxRetries: 3 });
const score = scoreSweep(report.played);
const { verify } = report;
const each = (seconds: number, count: number): number => Math.round((10 * seconds) / Math.max(1, count)) / 10;
const figures = {
  ...score,
  correctShare: score.judged === 0 ? null : Math.round((10_000 * score.correct) / score.judged) / 10_000,
  killed: report.killed,
  secondsAnIssue: {
    wall: each(report.wallSeconds, score.judged),
    cpu: each(report.cpuSeconds, score.judged),
  },
  verifySecondsAnIssue:
    verify === null
      ? null
      : { wall: each(verify.wallSeconds, verify.issues), cpu: each(verify.cpuSeconds, verify.issues) },
  idle: report.idle,
  left: report.left,
};
say(JSON.stringify({ ...figures, wrong: figures.wrong.length }, null, 2));
for (const one of score.wrong) say(`wrong: ${one.issue}: ${one.truth}, but ${one.verdict} ${one.why}`);
if (flags.json) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
const isBad =
  score.correct < 0.99 * score.judged || score.wrongCloses + score.doubledComments + score.doneTwice > 0;
process.exitCode = isBad ? 1 : 0;
