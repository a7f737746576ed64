import { z } from "zod";

/** A line of a recording's output that has the searched text, in three parts. */
export const recordingHitSchema = z.object({
  seq: z.int().positive(),
  /** Milliseconds since the Session's start, when the text was printed. */
  tMs: z.number().nonnegative(),
  before: z.string(),
  found: z.string(),
  after: z.string(),
});
export type RecordingHit = z.infer<typeof recordingHitSchema>;

/** One answer of a search in a recording's text, which reads a bounded part of it. */
export const recordingSearchSchema = z.object({
  schema: z.literal("afk-triage/board-recording-search@1"),
  /** In the order of their time. A line that the program painted again is listed once. */
  hits: z.array(recordingHitSchema),
  /** The moment up to which was searched, in milliseconds since the Session's start. */
  searchedMs: z.number().nonnegative(),
  /** Pass it as `after` to go on; null: the end was reached. */
  nextSeq: z.int().positive().nullable(),
});
export type RecordingSearchDocument = z.infer<typeof recordingSearchSchema>;
