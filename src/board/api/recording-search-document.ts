import { z } from "zod";

/** A line of a recording's output that contains the searched text, split into three parts. */
export const recordingHitSchema = z.object({
  seq: z.int().positive(),
  /** Milliseconds since the Session's start, when the text was printed. */
  tMs: z.number().nonnegative(),
  before: z.string(),
  found: z.string(),
  after: z.string(),
});
export type RecordingHit = z.infer<typeof recordingHitSchema>;

/** The answer to one search in a recording's text. A search reads only a bounded part of the recording. */
export const recordingSearchSchema = z.object({
  schema: z.literal("afk-triage/board-recording-search@1"),
  /** The hits, ordered by time. A line that the program painted again is listed once. */
  hits: z.array(recordingHitSchema),
  /** The time up to which the output was searched, in milliseconds since the Session's start. */
  searchedMs: z.number().nonnegative(),
  /** Pass it as `after` to continue; null: the end was reached. */
  nextSeq: z.int().positive().nullable(),
});
export type RecordingSearchDocument = z.infer<typeof recordingSearchSchema>;
