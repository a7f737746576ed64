import { z } from "zod";

/** What the plots show, over the Triage Runs that began within `days`. */
export const statisticsSchema = z.object({
  schema: z.literal("afk-triage/board-statistics@1"),
  days: z.int().positive(),
  /** Ascending; days without a run are left out. `day` is UTC, `YYYY-MM-DD`. */
  outcomes: z.array(z.object({ day: z.string(), counts: z.record(z.string(), z.int().positive()) })),
  /** Quartiles of the time per phase, in milliseconds, in the order of the phases. */
  phases: z.array(
    z.object({
      phase: z.string(),
      count: z.int(),
      p25Ms: z.number(),
      p50Ms: z.number(),
      p75Ms: z.number(),
      p95Ms: z.number(),
    }),
  ),
  costs: z.array(
    z.object({ outcome: z.string(), count: z.int(), meanUsd: z.number(), totalUsd: z.number() }),
  ),
  /** How long issues had waited for triage when their run began; upper edges of the bins, the last open. */
  queueAges: z.array(z.object({ upToMs: z.number().nullable(), count: z.int() })),
});
export type StatisticsDocument = z.infer<typeof statisticsSchema>;

export const healthSchema = z.object({
  schema: z.literal("afk-triage/board-health@1"),
  status: z.literal("ok"),
  version: z.string(),
  /** Whether the board takes input (`--allow-control`). */
  allowsControl: z.boolean(),
});
export type HealthDocument = z.infer<typeof healthSchema>;

/** Every refusal: what was attempted, what was seen, what to do next. */
export const failureSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), remedy: z.string() }),
});
export type FailureDocument = z.infer<typeof failureSchema>;
