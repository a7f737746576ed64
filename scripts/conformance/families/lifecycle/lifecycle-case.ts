import { z } from "zod";
import { activityStates, selectedTriageRun, type TriageRunFacts } from "../../../../src/runs/index.ts";

const givenSchema = z.strictObject({
  activity_state: z.enum(activityStates).optional(),
  is_terminated: z.boolean().optional(),
  first_signal_at: z.literal("set").nullable().optional(),
  last_activity_age_s: z.number().optional(),
});

export const lifecycleCaseSchema = z.object({
  id: z.string(),
  given: z.union([givenSchema, z.string()]).default({}),
  event: z.unknown().optional(),
  expect: z.unknown(),
  v: z.string().optional(),
});
export type LifecycleCase = z.infer<typeof lifecycleCaseSchema>;

export const NOW_MS = Date.UTC(2026, 0, 1);
export const RUN_ID = "20260101T000000Z";
const SPAWNED_AGO_S = 86_400;
/** The default age of the last activity: so old that it does not protect a run. */
const DEFAULT_AGE_S = 3_600;

/** Returns a run that was spawned a day ago, with the activity of the case. */
export function factsOf(given: LifecycleCase["given"]): TriageRunFacts {
  if (typeof given === "string") throw new Error(`no facts are "${given}"`);
  const key = { runId: RUN_ID, repo: "octo/widgets", number: 1 };
  const spawnedAtMs = NOW_MS - SPAWNED_AGO_S * 1_000;
  const lastActivityAtMs = NOW_MS - (given.last_activity_age_s ?? DEFAULT_AGE_S) * 1_000;
  return {
    ...selectedTriageRun({ ...key, atMs: spawnedAtMs }),
    activity: {
      state: given.activity_state ?? "active",
      isTerminated: given.is_terminated ?? false,
      spawnedAtMs,
      firstSignalAtMs: given.first_signal_at === null ? null : lastActivityAtMs,
      lastActivityAtMs,
      isSignalCapable: true,
      exitCode: null,
    },
  };
}

export interface LifecycleRow {
  is_terminated: boolean;
  activity_state: string;
  first_signal_at: "set" | null;
}

export function rowOf({ activity }: TriageRunFacts): LifecycleRow {
  return {
    is_terminated: activity.isTerminated,
    activity_state: activity.state,
    first_signal_at: activity.firstSignalAtMs === null ? null : "set",
  };
}
