import { describe, expect, test } from "vitest";
import { runLoad } from "../support/fleet/load-run.ts";
import { postgresPrograms, withoutPostgres } from "../support/fleet/postgres.ts";
import { seeded } from "../support/seeded.ts";

// This is a sample; `npm run fleet:load` plays 10,000 issues.
describe.skipIf(postgresPrograms === null)(`a fleet under load${withoutPostgres}`, () => {
  test(
    "workers that SIGKILL ends one after the other comment once on each issue, leak no Coder workspace and pay for no Triage Agent twice, and one board shows each of their runs once (F4, F8, F9)",
    { timeout: 400_000 },
    async () => {
      const figures = await runLoad({
        workers: 2,
        parallelism: 4,
        repositories: 10,
        issues: 24,
        perRepository: 3,
        agentMs: 300,
        killEveryMs: 2_500,
        random: seeded(7),
        patienceMs: 90_000,
      });
      expect(figures.kills).toBeGreaterThan(0);
      expect(figures).toMatchObject({ doubledComments: 0, lost: 0, leakedWorkspaces: 0, paidTwice: 0 });
      expect(figures.peakOfRepository).toBeLessThanOrEqual(3);
      expect(figures.records).toMatchObject({ lost: 0, doubled: 0, areTotalsEqual: true });
      expect(figures.records.runs).toBeGreaterThanOrEqual(24);
      expect(figures.spentUsd).toBeGreaterThan(0);
    },
  );
});
