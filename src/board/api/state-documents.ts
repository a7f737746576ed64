import { z } from "zod";

const proof = z.enum(["yes", "no", "unknown"]);

/** A question that the TUI asks. `selected` is the index of the row that Enter would choose, if one is marked. */
const shownDialogSchema = z.object({
  kind: z.string(),
  heading: z.string(),
  choices: z.array(z.string()),
  selected: z.int().nonnegative().nullable(),
});

/** The tracked state of the Triage Agent's TUI at one moment (H1–H11). */
export const trackedStateSchema = z.object({
  /** The Event Log sequence of its screen. */
  seq: z.int().nonnegative(),
  /** Milliseconds since the Session's start, as in the recording. */
  tMs: z.int().nonnegative(),
  atMs: z.int().nonnegative(),
  availability: z.enum(["available", "tui_down", "unavailable", "error", "unknown"]),
  probeError: z.string().nullable(),
  parseError: z.string().nullable(),
  shows: z.string(),
  /** The question on the screen; null when it shows no dialog. */
  dialog: shownDialogSchema.nullable(),
  acceptingInput: proof,
  editingInput: proof,
  readyPosture: proof,
  phase: z.enum(["ready", "active", "unknown"]),
  activeReasons: z.array(z.string()),
  lastTurn: z.object({
    result: z.enum(["success", "interrupted", "known_failure", "none"]),
    source: z.enum(["explicit_input", "surface_inference", "none"]),
    error: z.string().nullable(),
  }),
  stableForMs: z.int().nonnegative(),
  detector: z.object({
    family: z.string(),
    profile: z.string(),
    observedVersion: z.string().nullable(),
    profileExtrapolated: z.boolean(),
  }),
  evidence: z.array(z.object({ signal: z.string(), text: z.string() })),
});
export type TrackedStateDocument = z.infer<typeof trackedStateSchema>;

/**
 * The answer to `GET …/state`: the present state. `none`: the run has no terminal, or the Triage Agent has no TUI to
 * track.
 */
export const stateDocumentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("tracked"), isLive: z.boolean(), state: trackedStateSchema }),
  z.object({ type: z.literal("none"), reason: z.string() }),
]);
export type StateDocument = z.infer<typeof stateDocumentSchema>;

/** The answer to `GET …/states`: every change during the recording, ascending. */
export const stateSeriesSchema = z.object({
  schema: z.literal("afk-triage/board-states@1"),
  states: z.array(trackedStateSchema),
  isTruncated: z.boolean(),
});
export type StateSeriesDocument = z.infer<typeof stateSeriesSchema>;

export const inputRequestSchema = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(64 * 1024),
});

/** The answer to a dialog: the dialog as it was shown, and the index of the chosen row. */
export const answerRequestSchema = z.strictObject({
  dialog: shownDialogSchema.omit({ selected: true }).strict(),
  choice: z.int().nonnegative(),
});
export type AnswerRequest = z.infer<typeof answerRequestSchema>;

/**
 * The result of a control request. `refused`: nothing was typed or started; `reason` is the refusal of the send gate (H39) or of
 * the command.
 */
export const controlResultSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("sent") }),
  z.object({ type: z.literal("stopping") }),
  z.object({ type: z.literal("started") }),
  z.object({ type: z.literal("refused"), reason: z.string(), remedy: z.string() }),
  z.object({ type: z.literal("no-active-run") }),
]);
export type ControlResultDocument = z.infer<typeof controlResultSchema>;
