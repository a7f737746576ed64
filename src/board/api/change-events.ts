import { z } from "zod";
import { batchSchema } from "./batch-documents.ts";
import { runRowSchema } from "./run-documents.ts";

/**
 * `GET /api/changes`, server-sent events: the event's name is `type`, its `id` the change-log sequence, so that a reader
 * that comes back with `Last-Event-ID` misses nothing. What changed comes as it is now, not as it was.
 */
export const changeEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("run"), run: runRowSchema }),
  z.object({ type: z.literal("batch"), batch: batchSchema }),
  /** The log no longer holds what lies between: read everything anew. */
  z.object({ type: z.literal("truncated") }),
]);
export type ChangeEvent = z.infer<typeof changeEventSchema>;
