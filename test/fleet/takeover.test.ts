import { describe, expect, test } from "vitest";
import { postgresPrograms, withoutPostgres } from "../support/fleet/postgres.ts";
import { type Experiment, runExperiment } from "../support/fleet/queue-experiment.ts";

const small: Experiment = {
  workers: 3,
  parallelism: 3,
  big: 6,
  small: 4,
  visitsOfSmall: 1,
  visitMs: 1_000,
  perRepository: 2,
  killEveryMs: null,
  kills: 0,
  pauseMs: null,
  random: () => 0,
  patienceMs: 60_000,
};

// This is a sample; `npm run fleet:queue` plays the whole experiment.
describe.skipIf(postgresPrograms === null)(
  `fleet workers as processes${withoutPostgres}`,
  { timeout: 400_000 },
  () => {
    test("the visits of a worker that SIGKILL ends are taken over within 10 s, and none is lost or duplicated (F4)", async () => {
      const figures = await runExperiment({ ...small, killEveryMs: 2_500, kills: 1 });
      expect(figures).toMatchObject({ lost: 0, doubled: 0 });
      expect(figures.peakOfRepository).toBeLessThanOrEqual(2);
      expect(Math.max(0, ...figures.takeoversMs)).toBeLessThan(10_000);
    });

    test("a worker that was paused beyond its lease has no effect when it wakes, and other workers make its visits (F4)", async () => {
      const figures = await runExperiment({ ...small, workers: 2, pauseMs: 14_000 });
      expect(figures).toMatchObject({ lost: 0, doubled: 0 });
      expect(figures.takeoversMs.length).toBeGreaterThan(0);
    });
  },
);
