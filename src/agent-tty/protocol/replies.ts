import * as z from "zod/mini";
import { exitSchema, statusSchema } from "../home/index.ts";
import type { Method } from "./calls.ts";

const seq = z.object({ seq: z.int() });
const range = z.object({ fromSeq: z.int(), toSeq: z.int() });
const seen = { capturedAtSeq: z.int(), screenHash: z.string() };

const runReply = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), seq: z.int() }),
  z.object({
    type: z.literal("completed"),
    exitCode: z.int(),
    durationMs: z.number(),
    output: range,
  }),
  z.object({
    type: z.literal("timed-out"),
    accepted: z.boolean(),
    durationMs: z.number(),
    output: range,
    visibleText: z.string(),
  }),
  z.object({ type: z.literal("interrupted"), exit: exitSchema, durationMs: z.number(), output: range }),
]);

const waitReply = z.discriminatedUnion("type", [
  z.object({ type: z.literal("matched"), matchedText: z.nullable(z.string()), ...seen }),
  z.object({ type: z.literal("timed-out"), ...seen, visibleText: z.string() }),
  z.object({
    type: z.literal("interrupted"),
    exit: z.nullable(exitSchema),
    ...seen,
    visibleText: z.string(),
  }),
]);

/** The host's answer to each call. */
export const REPLY_SCHEMAS = {
  run: runReply,
  type: seq,
  paste: seq,
  "send-keys": seq,
  mark: seq,
  resize: seq,
  signal: seq,
  wait: waitReply,
  // A SnapshotResult, passed on unchanged.
  snapshot: z.looseObject({ format: z.enum(["text", "structured"]), sessionId: z.string() }),
  status: z.object({ status: statusSchema, lastSeq: z.int() }),
  destroy: z.object({ status: statusSchema }),
} satisfies Record<Method, z.ZodMiniType>;

export type Reply<M extends Method> = z.infer<(typeof REPLY_SCHEMAS)[M]>;
export type WaitReply = z.infer<typeof waitReply>;
export type RunReply = z.infer<typeof runReply>;

/** `id` is null if the request was too broken to have one; the host then closes the connection. */
export const responseSchema = z.discriminatedUnion("ok", [
  z.object({ id: z.int(), ok: z.literal(true), reply: z.unknown() }),
  z.object({
    id: z.nullable(z.int()),
    ok: z.literal(false),
    error: z.object({
      code: z.string(),
      message: z.string(),
      remedy: z.string(),
      details: z.record(z.string(), z.unknown()),
    }),
  }),
]);

export type Response = z.infer<typeof responseSchema>;
