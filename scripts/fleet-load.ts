/**
 * `npm run fleet:load`: a fleet of real worker processes on real PostgreSQL, with the batch machine over a simulated GitHub, Coder
 * deployment and Triage Agent, while SIGKILL ends a random worker every few seconds (row F9). By default 4 workers, 2,000
 * repositories and 10,000 issues; `--repositories`, `--issues`, `--workers`, `--parallelism`, `--kill-every <ms>` and `--seed`
 * shrink or change it. Prints the visits that were duplicated, lost, leaked or paid twice, the takeovers and waits, the cost of
 * an issue, and whether the fleet's board shows each Triage Run once. The exit code is 1 if a guarantee is broken.
 */
import { loadavg } from "node:os";
import { percentile } from "../test/support/fleet/queue-experiment.ts";
import { runLoad } from "../test/support/fleet/load-run.ts";
import { beginFleetScript } from "../test/support/fleet/fleet-script.ts";
import { seeded } from "../test/support/seeded.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, {
  options: {
    workers: { type: "string", default: "4" },
    parallelism: { type: "string", default: "8" },
    repositories: { type: "string", default: "2000" },
    issues: { type: "string", default: "10000" },
    "kill-every": { type: "string", default: "5000" },
    "agent-ms": { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
  },
});
beginFleetScript();

const PER_REPOSITORY = 3;
const figures = await runLoad({
  workers: Number(values.workers),
  parallelism: Number(values.parallelism),
  repositories: Number(values.repositories),
  issues: Number(values.issues),
  perRepository: PER_REPOSITORY,
  agentMs: Number(values["agent-ms"]),
  killEveryMs: Number(values["kill-every"]),
  random: seeded(Number(values.seed)),
  patienceMs: 4 * 3_600_000,
});
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const { takeoversMs, records } = figures;
const p95 = percentile(takeoversMs, 0.95);
process.stdout.write(
  `${[
    `${figures.issues} issues of ${values.repositories} repositories, ${values.workers} workers, ${figures.kills} SIGKILLs (load ${loadavg()[0]?.toFixed(1)})`,
    `  doubled comments ${figures.doubledComments}, lost issues ${figures.lost} (${figures.lostBeforePoll} found by the next poll only), leaked Coder workspaces ${figures.leakedWorkspaces}, Triage Agents paid twice ${figures.paidTwice}`,
    `  takeovers ${takeoversMs.length}: p50 ${seconds(percentile(takeoversMs, 0.5))}, p95 ${seconds(p95)}, longest ${seconds(Math.max(0, ...takeoversMs))}`,
    `  worst wait ${figures.worstShare.toFixed(2)} of the fair share, most visits of one repository at once ${figures.peakOfRepository} of ${PER_REPOSITORY}`,
    `  ${seconds(figures.durationMs)} in all: ${(figures.issues / (figures.durationMs / 60_000)).toFixed(0)} issues a minute, ${(figures.cpuMs / figures.issues).toFixed(0)} ms of CPU and ${(figures.spentUsd / figures.issues).toFixed(4)} USD an issue`,
    `  the board of the fleet shows ${records.runs - records.lost + records.doubled} of ${records.runs} Triage Runs: lost ${records.lost}, doubled ${records.doubled}, totals ${records.areTotalsEqual ? "equal" : "DIFFERENT"}; ${records.leftOver} ends came from the stores of killed workers`,
    `  the workers complained ${figures.complaints.length} times${figures.complaints.length === 0 ? "" : `, last: ${figures.complaints.at(-1)}`}`,
  ].join("\n")}\n`,
);
const isBroken =
  !records.areTotalsEqual ||
  records.lost +
    records.doubled +
    figures.doubledComments +
    figures.lost +
    figures.leakedWorkspaces +
    figures.paidTwice >
    0 ||
  p95 > 10_000 ||
  figures.worstShare > 2 ||
  figures.peakOfRepository > PER_REPOSITORY;
if (isBroken) process.exitCode = 1;
