import { z } from "zod";
import type { TriageRunEnd } from "./phase.ts";

/** Parses a run's end from the store's file and from a parent's control socket. */
export const triageRunEndSchema: z.ZodType<TriageRunEnd> = z.discriminatedUnion("status", [
  z.object({ status: z.literal("applied"), reason: z.string(), outcome: z.string() }),
  z.object({ status: z.enum(["skipped", "locked"]), reason: z.string() }),
  z.object({ status: z.literal("requeued"), reason: z.string(), outcome: z.string().nullable() }),
  z.object({
    status: z.literal("failed"),
    reason: z.string(),
    outcome: z.string().nullable(),
    error: z.object({ code: z.string(), message: z.string(), remedy: z.string() }),
  }),
]);
