/**
 * Usage: `npm run fleet:queue`. Tests the queue of a fleet with real PostgreSQL, real worker processes and real SIGKILLs. Plays
 * the experiment of ADR 64 (44 visits, 24 of one big repository, one worker killed) and the long one (200 visits, a SIGKILL every
 * 3 s, one worker paused beyond its lease), and prints the lost and duplicated visits and the waits. The option `--seed N`
 * chooses the workers to kill. The exit code is 1 if a visit was lost or duplicated, a cap was exceeded, or a takeover took
 * longer than 10 s.
 */
import { loadavg } from "node:os";
import { type Experiment, percentile, runExperiment } from "../test/support/fleet/queue-experiment.ts";
import { beginFleetScript } from "../test/support/fleet/fleet-script.ts";
import { seeded } from "../test/support/seeded.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, { options: { seed: { type: "string", default: "1" } } });
beginFleetScript();

const common = { visitMs: 2_000, perRepository: 3, patienceMs: 600_000 };
const experiments: Record<string, Experiment> = {
  "44 visits, one SIGKILL": {
    ...common,
    workers: 2,
    parallelism: 4,
    big: 24,
    small: 10,
    visitsOfSmall: 2,
    killEveryMs: 4_000,
    kills: 1,
    pauseMs: null,
    random: seeded(Number(values.seed)),
  },
  "200 visits, SIGKILL every 3 s, one worker paused": {
    ...common,
    workers: 3,
    parallelism: 4,
    big: 80,
    small: 40,
    visitsOfSmall: 3,
    killEveryMs: 3_000,
    kills: 15,
    pauseMs: 12_000,
    random: seeded(Number(values.seed)),
  },
};

for (const [name, experiment] of Object.entries(experiments)) {
  const figures = await runExperiment(experiment);
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  const { takeoversMs, smallWaitsMs, bigWaitsMs } = figures;
  process.stdout.write(
    `${[
      `${name} (load ${loadavg()[0]?.toFixed(1)})`,
      `  visits ${figures.visits}, attempts ${figures.attempts}, lost ${figures.lost}, doubled ${figures.doubled}`,
      `  most visits of one repository at once: ${figures.peakOfRepository} of ${experiment.perRepository}`,
      `  takeovers ${takeoversMs.length}: p50 ${seconds(percentile(takeoversMs, 0.5))}, p95 ${seconds(percentile(takeoversMs, 0.95))}`,
      `  small repositories waited p50 ${seconds(percentile(smallWaitsMs, 0.5))}, last ${seconds(smallWaitsMs.at(-1) ?? 0)}; the big one last ${seconds(bigWaitsMs.at(-1) ?? 0)}`,
      `  ${seconds(figures.durationMs)} in all`,
    ].join("\n")}\n`,
  );
  const isBroken =
    figures.lost + figures.doubled > 0 ||
    figures.peakOfRepository > experiment.perRepository ||
    percentile(takeoversMs, 0.95) > 10_000;
  if (isBroken) process.exitCode = 1;
}
