import { z } from "zod";
import { resultSchema } from "../../../test/support/tui-recordings/index.ts";
import { runtimeSchema } from "./observed-fields.ts";

// The format "tui-recording/1": captured screens of a real session at labelled times.

const expectedSchema = z.object({
  "diagnostics.availability": z.string(),
  "surface.accepting_input": z.string(),
  "surface.editing_input": z.string(),
  "surface.ready_posture": z.string(),
  "turn.phase": z.string(),
  "last_turn.result": resultSchema,
  "last_turn.source": z.string(),
});

const sampleSchema = z.looseObject({
  id: z.string(),
  t: z.number(),
  label: z.string(),
  screen: z.string().nullish(),
  runtime: runtimeSchema.nullish(),
  expected: expectedSchema,
  /** Present where the seed's sticky last Turn differs from the label. */
  expected_sticky_last_turn: expectedSchema.partial().optional(),
  /** Fields in which the origin's own tracker, replayed, no longer agrees with its label. */
  origin_head_differs: z.record(z.string(), z.unknown()).optional(),
  /** The value that the rules require if the label contradicts them; a list means any of its values. */
  seed_expected: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
});

export const sampledRecordingSchema = z.looseObject({
  format: z.literal("tui-recording/1"),
  case: z.string(),
  tool: z.string(),
  observed_version: z.string().nullish(),
  settle_seconds: z.number().default(1),
  inputs: z.array(z.looseObject({ t: z.number(), kind: z.string() })).default([]),
  samples: z.array(sampleSchema),
  screens: z.record(z.string(), z.string()),
});

export type Sample = z.infer<typeof sampleSchema>;
export type SampledRecording = z.infer<typeof sampledRecordingSchema>;
