import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CoderWorkspaceProvider } from "../../src/workspaces/index.ts";
import { propertyRuns } from "../support/property-runs.ts";
import { type CoderStandIn, deployment, never, request } from "../support/coder/index.ts";

const answers = [
  "drop",
  { status: 502, html: "<title>Bad Gateway</title>" },
  { status: 500, body: { message: "Internal server error" } },
  { status: 429 },
] as const;

const fault = fc.record({
  method: fc.constantFrom("GET", "POST", "PATCH"),
  path: fc.constantFrom(/^\/users\/me\/workspaces?/, /^\/workspaces\//, /^\/workspacebuilds\//),
  times: fc.integer({ min: 1, max: 3 }),
  effect: fc.constantFrom("before", "after"),
  answer: fc.constantFrom(...answers),
});

const schedule = fc.record({
  answers: fc.array(fault, { maxLength: 5 }),
  startBuild: fc.constantFrom("succeeds", "fails", "quota", "stuck-pending"),
  failingDeletes: fc.integer({ min: 0, max: 3 }),
});

/**
 * The number of schedules that are played side by side, each with its own deployment, because most of a schedule is waiting for
 * the next attempt.
 */
const SIDE_BY_SIDE = 4;

test("a schedule of passing faults never leaks a Coder workspace (T5)", async () => {
  // A stuck deletion must fail the property before the test ends.
  const patience = { timings: { deleteLimitMs: 20_000 } };
  await using subjects = await several(SIDE_BY_SIDE, () => deployment({}, patience));
  for (const { provider } of subjects.all) await provider.preflight(never);
  let number = 0;
  const schedules = fc.array(schedule, { minLength: SIDE_BY_SIDE, maxLength: SIDE_BY_SIDE });
  await fc.assert(
    fc.asyncProperty(schedules, async (each) => {
      number += 1;
      const name = `product-triage-${number}`;
      await Promise.all(
        subjects.all.map(({ provider, standIn }, index) => {
          // The faults are copied, because the stand-in counts `times` down in place.
          Object.assign(standIn.faults, structuredClone(each[index]));
          return createAndDestroy(provider, standIn, name);
        }),
      );
    }),
    { numRuns: propertyRuns(20, 60) / SIDE_BY_SIDE },
  );
}, 120_000);

async function several<T extends AsyncDisposable>(
  count: number,
  open: () => Promise<T>,
): Promise<AsyncDisposable & { all: readonly T[] }> {
  const all = await Promise.all(Array.from({ length: count }, open));
  return {
    all,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(all.map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

/** Creates and destroys. Afterwards either nothing of ours exists, or an error names what may exist. */
async function createAndDestroy(
  provider: CoderWorkspaceProvider,
  standIn: CoderStandIn,
  name: string,
): Promise<void> {
  try {
    const result = await provider.create(request(name), never);
    if (result.type !== "created") throw new Error(`nobody else holds ${name}`);
    const { id } = result.workspace;
    const end = await provider.destroy({ id, name }, never);
    expect(end.type === "stranded" ? end.error : end.type).toBe("destroyed");
  } catch (error) {
    expect(error).toMatchObject({
      code: expect.stringMatching(/^WORKSPACE_(CREATE_FAILED|STRANDED)$/) as string,
    });
    if ((error as { code: string }).code === "WORKSPACE_STRANDED") return;
  }
  expect(standIn.liveNames()).not.toContain(name);
}
