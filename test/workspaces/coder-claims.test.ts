import { expect, test } from "vitest";
import { drawClaims, playClaims } from "../support/coder-claims/index.ts";

/** The schedules in the default run; `npm run test:claims` plays 1,000. */
const SAMPLE = [1, 2, 3, 4, 5, 6];

test("no claim of a prebuilt Coder workspace fails, is reaped or leaks under a schedule of faults", async () => {
  const played = await Promise.all(SAMPLE.map((number) => playClaims(drawClaims(20261122, number))));
  expect(played.flatMap(({ schedule, violations }) => violations.map((each) => [schedule, each]))).toEqual(
    [],
  );
  expect(played.reduce((sum, { claimed }) => sum + claimed, 0)).toBeGreaterThan(0);
}, 60_000);
