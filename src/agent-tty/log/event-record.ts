import * as z from "zod/mini";
import { exitSchema, statusSchema } from "../home/index.ts";

/** The most output in one record; it bounds what a reader holds in memory. */
export const MAX_OUTPUT_RECORD_BYTES = 256 * 1024;

const size = z.int().check(z.positive());
const index = z.int().check(z.nonnegative());

/** Everything that can happen to a Session (A6). Output bytes are in `output.bin`; the record has their position. */
const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), wallMs: z.number(), cols: size, rows: size, term: z.string() }),
  /** A new child in the same Session; its output follows that of the previous one after a separator (L11). */
  z.object({ type: z.literal("restarted"), wallMs: z.number(), cols: size, rows: size, term: z.string() }),
  z.object({
    type: z.literal("output"),
    offset: index,
    length: size.check(z.maximum(MAX_OUTPUT_RECORD_BYTES)),
  }),
  /** The middle of a long log was dropped: no record is left of the sequences up to `toSeq`. */
  z.object({ type: z.literal("gap"), toSeq: size, droppedBytes: index }),
  z.object({
    type: z.literal("input"),
    data: z.string(),
    source: z.enum(["user", "run", "terminal-reply"]),
  }),
  z.object({ type: z.literal("resize"), cols: size, rows: size }),
  z.object({ type: z.literal("signal"), signal: z.string() }),
  z.object({ type: z.literal("mark"), label: z.string() }),
  z.object({ type: z.literal("run-started"), run: index, commandLine: z.string() }),
  z.object({
    type: z.literal("run-completed"),
    run: index,
    exitCode: z.int(),
    /** `incomplete`: the shell wanted more input, so the command was cancelled with Ctrl+C. */
    end: z.enum(["ran", "incomplete"]),
  }),
  z.object({ type: z.literal("status"), status: statusSchema }),
  z.object({ type: z.literal("exit"), exit: exitSchema }),
]);

/**
 * `seq` counts from 1, without gaps, except those that a `gap` record describes; `t` is milliseconds since the Session's start.
 */
export const recordSchema = z.intersection(
  z.object({ seq: size, t: z.number().check(z.nonnegative()) }),
  eventSchema,
);

export type SessionEvent = z.infer<typeof eventSchema>;
export type EventRecord = z.infer<typeof recordSchema>;
export type LoggableEvent = Exclude<SessionEvent, { type: "output" | "gap" }>;
