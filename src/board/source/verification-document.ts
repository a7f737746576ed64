import { z } from "zod";
import { parseJson } from "agent-tty/kit";
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

/** The batch's `verification.json` (`Verification`). */
const keptSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("not-attempted") }),
  z.object({ type: z.literal("impossible"), reason: z.string() }),
  z.object({ type: z.literal("reproduced"), ...seen, insight }),
  z.object({ type: z.literal("flaky"), ...seen, insight }),
  z.object({ type: z.literal("already-fixed"), ...seen, fixed: z.object({ range: rangeSchema }) }),
  z.object({ type: z.literal("unproven"), reason: z.string(), ...seen }),
  z.object({ type: z.literal("not-reproduced"), ...seen }),
]);

/** Returns the verification document; null: there is none, or it cannot be parsed. */
export function verificationDocument(text: string | null): RunDocument["verification"] {
  const kept = keptSchema.safeParse(parseJson(text ?? "")).data;
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
    versions: range == null ? [] : versionSpans(range),
    sameFailureAs: learned?.sameFailureAs ?? [],
  };
}

type Spans = NonNullable<RunDocument["verification"]>["versions"];
type End = z.infer<typeof rangeEnd>;

/** Returns the range as spans of versions, oldest first (V5). */
function versionSpans({ firstBad, firstFixed }: z.infer<typeof rangeSchema>): Spans {
  const works: Spans = firstBad.type === "initial" ? [] : [{ state: "works", from: null }];
  if (firstBad.type === "never") return works;
  if (firstBad.type === "unknown") return [{ state: "unknown", from: null }, ...fixedSpans(firstFixed)];
  return [...works, ...boundary(firstBad, "broken"), ...fixedSpans(firstFixed)];
}

function fixedSpans(end: End): Spans {
  return end.type === "never" ? [] : boundary(end, "fixed");
}

function boundary(end: Exclude<End, { type: "never" }>, state: "broken" | "fixed"): Spans {
  switch (end.type) {
    case "exact":
    case "initial":
      return [{ state, from: named(end.at) }];
    case "interval":
      return [
        { state: "untestable", from: named(end.after) },
        { state, from: named(end.upTo) },
      ];
    case "unknown":
      return [{ state: "unknown", from: null }];
    default:
      return end satisfies never;
  }
}

function named({ version, commit }: z.infer<typeof product>): string | null {
  return version ?? commit?.slice(0, 12) ?? null;
}
