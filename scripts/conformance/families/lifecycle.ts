import { z } from "zod";
import {
  activityStates,
  selectedTriageRun,
  transition,
  type TriageRunEvent,
  type TriageRunFacts,
} from "../../../src/runs/index.ts";
import { type CaseReport, compare, notCovered, notCoveredSections, observed } from "../case-report.ts";
import { family } from "../family.ts";

const expectationSchema = z.union([
  z.enum(["unchanged", "row byte-identical", "no write, no CDC event"]).transform(() => "unchanged" as const),
  z.strictObject({
    is_terminated: z.boolean().optional(),
    activity_state: z.enum(activityStates).optional(),
    first_signal_at: z.literal("set").nullable().optional(),
    nudges: z.literal(0).optional(),
  }),
  z.unknown().transform(() => "not-understood" as const),
]);
const givenSchema = z.strictObject({
  activity_state: z.enum(activityStates).optional(),
  is_terminated: z.boolean().optional(),
  first_signal_at: z.literal("set").nullable().optional(),
  last_activity_age_s: z.number().optional(),
});
const schema = z.looseObject({
  recent_activity_window_s: z.number(),
  cases: z.array(
    z.object({
      id: z.string(),
      given: z.union([givenSchema, z.string()]).default({}),
      event: z.unknown().optional(),
      expect: expectationSchema,
      v: z.string().optional(),
    }),
  ),
});
type LifecycleCase = z.infer<typeof schema>["cases"][number];
type Expectation = Exclude<LifecycleCase["expect"], string>;

const NOW_MS = Date.UTC(2026, 0, 1);
const SPAWNED_AGO_S = 86_400;
/** Old enough that recent activity protects nothing, where the case does not say. */
const DEFAULT_AGE_S = 3_600;
const LATER = "the lifecycle service (nudges, kill, restore, change log) is not built yet";

const PROBE_DEAD: TriageRunEvent = { type: "probed", runtime: "dead", process: "dead", atMs: NOW_MS };

/** What the cases call the events of the durable facts. */
const EVENTS: Readonly<Record<string, TriageRunEvent>> = {
  "probe dead": PROBE_DEAD,
  "probe failed": { type: "probed", runtime: "unknown", process: "unknown", atMs: NOW_MS },
  "activity exited": { type: "triage-agent-exited", exitCode: 0, atMs: NOW_MS },
  "activity active": { type: "activity-signalled", activity: "active", atMs: NOW_MS },
  "activity idle": { type: "activity-signalled", activity: "idle", atMs: NOW_MS },
  "mark spawned": { type: "spawn-completed", isSignalCapable: true, atMs: NOW_MS },
  "PR observed merged": {
    type: "pull-requests-observed",
    atMs: NOW_MS,
    pullRequests: [
      {
        number: 1,
        url: "https://github.com/octo/widgets/pull/1",
        state: "merged",
        isDraft: false,
        checks: "passing",
        review: "approved",
        hasUnresolvedHumanComments: false,
        mergeability: "unknown",
        headSha: null,
        checksSignature: null,
        feedbackSignature: null,
        updatedAtMs: NOW_MS,
      },
    ],
  },
};

export const lifecycle = family(/^ao_lifecycle_cases\.json$/, schema, (content) => [
  ...content.cases.flatMap((one) =>
    checkCase(one).map((report) => (one.v === "later" ? observed(report) : report)),
  ),
  checkWindow(content.recent_activity_window_s),
  ...notCoveredSections(content, Object.keys(schema.shape), LATER),
]);

function checkCase(one: LifecycleCase): CaseReport[] {
  const event = typeof one.event === "string" ? EVENTS[one.event] : undefined;
  if (event === undefined || one.expect === "not-understood" || typeof one.given === "string")
    return [notCovered(one.id, LATER)];
  const before = factsOf(one.given);
  const after = transition(before, event);
  if (one.expect === "unchanged")
    return [compare(one.id, "unchanged", after === before ? "unchanged" : rowOf(after))];
  const { nudges, ...row } = one.expect;
  return [
    compare(one.id, row, namedIn(row, rowOf(after))),
    ...(nudges === undefined ? [] : [notCovered(`${one.id}: nudges`, LATER)]),
  ];
}

/** Activity at the window's end still contradicts a probe that says dead; a second later it does not. */
function checkWindow(windowS: number): CaseReport {
  const isTerminated = (ageS: number): boolean => {
    const before = factsOf({ activity_state: "active", last_activity_age_s: ageS });
    return transition(before, PROBE_DEAD).activity.isTerminated;
  };
  return compare("recent activity window", [false, true], [windowS, windowS + 1].map(isTerminated));
}

function factsOf(given: z.infer<typeof givenSchema>): TriageRunFacts {
  const key = { runId: "20260101T000000Z", repo: "octo/widgets", number: 1 };
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

function rowOf({ activity }: TriageRunFacts): Required<Omit<Expectation, "nudges">> {
  return {
    is_terminated: activity.isTerminated,
    activity_state: activity.state,
    first_signal_at: activity.firstSignalAtMs === null ? null : "set",
  };
}

function namedIn(expected: object, row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(expected, name)));
}
