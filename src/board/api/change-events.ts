import { z } from "zod";
import { batchSchema } from "./batch-documents.ts";
import { runRowSchema } from "./run-documents.ts";

/**
 * An event of `GET /api/changes` (server-sent events). The event's name is `type`, and its `id` is the change-log sequence, so a
 * reader that reconnects with `Last-Event-ID` misses nothing. An event contains the present state of the row, not the state at
 * the change.
 */
export const changeEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("run"), run: runRowSchema }),
  z.object({ type: z.literal("batch"), batch: batchSchema }),
  /** The log no longer contains all changes since the reader's sequence, so the reader has to read everything again. */
  z.object({ type: z.literal("truncated") }),
]);
export type ChangeEvent = z.infer<typeof changeEventSchema>;
