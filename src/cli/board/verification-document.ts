import { z } from "zod";
import type { RunDocument } from "../../board/index.ts";

const insight = z.object({
  commit: z.string().nullable(),
  sameFailureAs: z.array(z.int()),
  firstBad: z.discriminatedUnion("type", [
    z.object({ type: z.literal("not-searched") }),
    z.object({ type: z.literal("found"), commit: z.string(), subject: z.string(), isExact: z.boolean() }),
    z.object({ type: z.literal("not-found"), reason: z.string() }),
  ]),
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
  z.object({ type: z.literal("not-reproduced"), ...seen }),
]);

/** null: there is none, or it is not understood. */
export function verificationDocument(text: string | null): RunDocument["verification"] {
  const kept = keptSchema.safeParse(parsed(text)).data;
  if (kept === undefined) return null;
  const tried = "runs" in kept ? kept : null;
  const learned = "insight" in kept ? kept.insight : null;
  const firstBad = learned?.firstBad.type === "found" ? learned.firstBad : null;
  return {
    verdict: kept.type,
    reason: "reason" in kept ? kept.reason : null,
    script: tried?.reproduction.script ?? null,
    expect: tried?.reproduction.expect ?? null,
    runs: tried?.runs ?? [],
    commit: learned?.commit ?? null,
    firstBad:
      firstBad === null
        ? null
        : { commit: firstBad.commit, subject: firstBad.subject, isExact: firstBad.isExact },
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
