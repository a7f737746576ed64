import { z } from "zod";

const seq = z.int().nonnegative();
const tMs = z.number().nonnegative();
const size = z.int().positive().max(10_000);

/**
 * One frame of a terminal, over the WebSocket (JSON text frames) and in recordings alike. `t` is milliseconds since the Session's
 * start. `reset` comes first, and again whenever the reader is too far behind: the bytes in `paint` make an empty terminal of
 * that size show the screen at `seq`, with colours, cursor and modes ("" at the Session's start). Bytes are base64, because a
 * read of the PTY may end within a character.
 */
export const terminalFrameSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("reset"), seq, t: tMs, cols: size, rows: size, paint: z.base64() }),
  z.object({ type: z.literal("output"), seq, t: tMs, data: z.base64() }),
  z.object({ type: z.literal("resize"), seq, t: tMs, cols: size, rows: size }),
  /** Typed or sent input, shown as a mark on the time line. Only its length is sent, because the input may be secret. */
  z.object({
    type: z.literal("input"),
    seq,
    t: tMs,
    source: z.enum(["user", "run", "terminal-reply"]),
    length: z.int(),
  }),
  z.object({ type: z.literal("mark"), seq, t: tMs, label: z.string() }),
  z.object({ type: z.literal("exit"), seq, t: tMs, exitCode: z.int().nullable() }),
]);
export type TerminalFrame = z.infer<typeof terminalFrameSchema>;

/** A recording as one document: the frames of a Session so far, or of the part that `window` names. */
export const recordingSchema = z.object({
  schema: z.literal("afk-triage/board-recording@1"),
  sessionId: z.string(),
  /** The wall time of the Session's start. */
  startedAtMs: z.int().nonnegative(),
  durationMs: z.number().nonnegative(),
  /** Whether frames are missing. If the beginning is cut off, the first frame paints the screen at that point. */
  isTruncated: z.boolean(),
  /**
   * The part that the frames cover, from `startMs` up to but not including `endMs`, or to the end of the recording. Use `at` to
   * request another part.
   */
  window: z.object({ startMs: tMs, endMs: tMs, isEnd: z.boolean() }),
  frames: z.array(terminalFrameSchema),
});
export type RecordingDocument = z.infer<typeof recordingSchema>;
