import { z } from "zod";
import { type CaseReport, notExpressible } from "../../case-report.ts";
import { recognisedFamily } from "../../family.ts";
import { observedFields, runtimeSchema } from "../../tracking/observed-fields.ts";
import { openTracker } from "../../tracking/open-tracker.ts";
import { playSamples } from "../../tracking/play-samples.ts";
import { compareFields } from "./expected-fields.ts";

const fields = z.record(z.string(), z.unknown());
const caseSchema = z.object({
  id: z.string(),
  tool: z.string(),
  observed_version: z.string().nullable(),
  settle_seconds: z.number(),
  observations: z.array(
    z.object({
      id: z.string(),
      t: z.number(),
      screen: z.string().nullable(),
      runtime: runtimeSchema.nullable(),
    }),
  ),
  input_submitted_at: z.array(z.number()),
  expected: z.array(z.object({ id: z.string(), asserted: fields, observed: fields.default({}) })),
});
type ReplayCase = z.infer<typeof caseSchema>;

/** Each case is a sequence of screens, probes and submits with times, and the expected state at each of them. */
export const tuiReplay = recognisedFamily(
  /^houmao_replay_cases\.jsonl$/,
  z.array(caseSchema).min(1),
  (cases) => cases.flatMap(checkCase),
);

function checkCase(one: ReplayCase): CaseReport[] {
  if (one.tool !== "claude" && one.tool !== "codex")
    return [notExpressible(one.id, `another tool: ${one.tool}`)];
  const tracker = openTracker(one.tool, one.observed_version, { settleMs: one.settle_seconds * 1_000 });
  const samples = one.observations.map(({ id, t, screen, runtime }) => ({
    id,
    atMs: t * 1_000,
    text: screen,
    runtime,
  }));
  const taken = playSamples(
    tracker,
    samples,
    one.input_submitted_at.map((t) => t * 1_000),
  );
  return one.expected.flatMap(({ id, asserted, observed }) => {
    const state = taken.find(({ sample }) => sample.id === id)?.state;
    if (state === undefined) return [notExpressible(`${one.id} ${id}`, "no observation has this id")];
    const seen = observedFields(state);
    const rest = Object.entries(observed).filter(([field]) => !(field in asserted) && field in seen);
    return [
      ...compareFields(`${one.id} ${id}`, "asserted", asserted, seen),
      ...compareFields(`${one.id} ${id}`, "observed", Object.fromEntries(rest), seen),
    ];
  });
}
