import { z } from "zod";
import type { TrackedState, Tracker, TrackerEvent } from "../../../../src/tui/index.ts";
import { ansiScreen } from "../../../../test/support/tui-recordings/index.ts";
import { type CaseReport, notExpressible } from "../../case-report.ts";
import { recognisedFamily } from "../../family.ts";
import { observedFields } from "../../tracking/observed-fields.ts";
import { openTracker, toolOf } from "../../tracking/open-tracker.ts";
import { applyInTime } from "../../tracking/play-samples.ts";
import { compareFields, type Fields } from "./expected-fields.ts";
import { StickyResult } from "./sticky-result.ts";

const fields = z.record(z.string(), z.unknown());
const stepSchema = z.discriminatedUnion("op", [
  z.object({ op: z.literal("snapshot"), t: z.number(), screen: z.string() }),
  z.object({ op: z.literal("input_submitted"), t: z.number() }),
  z.object({ op: z.literal("check"), t: z.number(), asserted: fields, observed: fields.default({}) }),
  /** The transitions in the origin's own event stream, which this project does not have. */
  z.object({ op: z.literal("transitions"), t: z.number() }),
]);
const caseSchema = z.object({
  id: z.string(),
  app: z.string(),
  observed_version: z.string().nullable(),
  settle_seconds: z.number(),
  stability_threshold_seconds: z.number(),
  steps: z.array(stepSchema),
});
type SessionCase = z.infer<typeof caseSchema>;

/** Each case is a sequence of screens and submits with times, and the expected public state after them. */
export const tuiSession = recognisedFamily(
  /^houmao_session_cases\.jsonl$/,
  z.array(caseSchema).min(1),
  (cases) => cases.flatMap(checkCase),
);

function checkCase({
  id,
  app,
  observed_version: version,
  settle_seconds,
  steps,
  ...rest
}: SessionCase): CaseReport[] {
  const tool = toolOf(app);
  if (tool === null) return [notExpressible(id, `another tool: ${app}`)];
  const tracker = openTracker(tool, version, { settleMs: settle_seconds * 1_000 });
  const run = { tracker, sticky: new StickyResult(), thresholdMs: rest.stability_threshold_seconds * 1_000 };
  return steps.flatMap((step, index) => takeStep(run, step, `${id} step ${index + 1} at ${step.t} s`));
}

interface SessionRun {
  tracker: Tracker;
  sticky: StickyResult;
  thresholdMs: number;
}

function takeStep(run: SessionRun, step: SessionCase["steps"][number], name: string): CaseReport[] {
  const state = applyInTime(run.tracker, eventOf(step));
  run.sticky.watch(state, step.op === "input_submitted");
  if (step.op !== "check") return [];
  const seen = checked(state, run.thresholdMs);
  const rest = Object.entries(step.observed).filter(([field]) => !(field in step.asserted) && field in seen);
  return [
    ...compareFields(name, "asserted", step.asserted, seen).map((report) =>
      run.sticky.excuse(report, step.asserted, seen),
    ),
    ...compareFields(name, "observed", Object.fromEntries(rest), seen),
  ];
}

function eventOf(step: SessionCase["steps"][number]): TrackerEvent {
  const atMs = step.t * 1_000;
  switch (step.op) {
    case "snapshot":
      return { type: "screen", screen: ansiScreen(step.screen), atMs };
    case "input_submitted":
      return { type: "submitted", atMs };
    case "check":
    case "transitions":
      return { type: "tick", atMs };
    default:
      return step satisfies never;
  }
}

function checked(state: TrackedState, thresholdMs: number): Fields {
  const stable = state.atMs - state.stability.stableSinceMs >= thresholdMs;
  return { ...observedFields(state), stable };
}
