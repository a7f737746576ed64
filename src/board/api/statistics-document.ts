import { z } from "zod";

/** The data of the plots, for the Triage Runs that began within `days`. */
export const statisticsSchema = z.object({
  schema: z.literal("afk-triage/board-statistics@1"),
  days: z.int().positive(),
  /** The outcomes by day, in ascending order, without days on which no run began. `day` is UTC, `YYYY-MM-DD`. */
  outcomes: z.array(z.object({ day: z.string(), counts: z.record(z.string(), z.int().positive()) })),
  /** The quartiles of the time per phase, in milliseconds, in the order of the phases. */
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
  /**
   * A histogram of the queue age. `upToMs` is the upper edge of a bin in milliseconds; null: the last bin, which has no upper
   * edge.
   */
  queueAges: z.array(z.object({ upToMs: z.number().nullable(), count: z.int() })),
});
export type StatisticsDocument = z.infer<typeof statisticsSchema>;

export const healthSchema = z.object({
  schema: z.literal("afk-triage/board-health@1"),
  status: z.literal("ok"),
  version: z.string(),
  /** Whether the board accepts input (`--allow-control`). */
  allowsControl: z.boolean(),
});
export type HealthDocument = z.infer<typeof healthSchema>;

/**
 * The document of every refusal, as `application/problem+json` (RFC 9457), with afk-triage's error code and a remedy. `error`
 * repeats them for readers of earlier versions.
 */
export const failureSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  remedy: z.string(),
  error: z.object({ code: z.string(), message: z.string(), remedy: z.string() }),
});
export type FailureDocument = z.infer<typeof failureSchema>;
