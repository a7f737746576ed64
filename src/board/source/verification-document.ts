import { z } from "zod";
import { describeRange } from "../../evidence/index.ts";
import type { RunDocument } from "../api/index.ts";

const product = z.object({ version: z.string().nullable(), commit: z.string().nullable() });
const rangeEnd = z.discriminatedUnion("type", [
  z.object({ type: z.literal("exact"), at: product }),
  z.object({ type: z.literal("initial"), at: product }),
  z.object({ type: z.literal("interval"), after: product, upTo: product, untestable: z.string() }),
  z.object({ type: z.literal("never") }),
  z.object({ type: z.literal("unknown"), reason: z.string() }),
]);
const rangeSchema = z.object({
  firstBad: rangeEnd,
  firstFixed: rangeEnd,
  flips: z.int().nonnegative(),
  notes: z.array(z.string()),
});
const insight = z.object({
  commit: z.string().nullable(),
  sameFailureAs: z.array(z.int()),
  range: rangeSchema.nullable(),
});
const reproduction = z.object({
  script: z.string().nullable(),
  expect: z.object({ exitCode: z.int().nullable(), outputContains: z.string().nullable() }).nullable(),
});
const run = z.object({
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  matched: z.boolean(),
  durationMs: z.int().nonnegative(),
  outputExcerpt: z.string(),
});
const seen = { runs: z.array(run), reproduction };

/** `verification.json`, as the batch keeps it (`Verification`). */
const keptSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("not-attempted") }),
  z.object({ type: z.literal("impossible"), reason: z.string() }),
  z.object({ type: z.literal("reproduced"), ...seen, insight }),
  z.object({ type: z.literal("flaky"), ...seen, insight }),
  z.object({ type: z.literal("already-fixed"), ...seen, fixed: z.object({ range: rangeSchema }) }),
  z.object({ type: z.literal("unproven"), reason: z.string(), ...seen }),
  z.object({ type: z.literal("not-reproduced"), ...seen }),
]);

/** null: there is none, or it is not understood. */
export function verificationDocument(text: string | null): RunDocument["verification"] {
  const kept = keptSchema.safeParse(parsed(text)).data;
  if (kept === undefined) return null;
  const tried = "runs" in kept ? kept : null;
  const learned = "insight" in kept ? kept.insight : null;
  const range = "fixed" in kept ? kept.fixed.range : learned?.range;
  return {
    verdict: kept.type,
    reason: "reason" in kept ? kept.reason : null,
    script: tried?.reproduction.script ?? null,
    expect: tried?.reproduction.expect ?? null,
    runs: tried?.runs ?? [],
    commit: learned?.commit ?? null,
    range: range == null ? [] : describeRange(range),
    sameFailureAs: learned?.sameFailureAs ?? [],
  };
}

export function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
