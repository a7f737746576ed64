import { z } from "zod";
import { DIALOG_KINDS } from "../../tui/index.ts";
import { activityStates } from "../activity.ts";
import { displayStatuses } from "../display-status.ts";
import { type RunUpdate, type RunView, surfaces } from "../owner/index.ts";
import { runPhases } from "../phase.ts";
import { runStates, settlementEvidences } from "../run-state.ts";
import { triageRunEndSchema } from "../phase.ts";

/** The version of the messages below. A parent and a client with different versions refuse each other. */
export const CONTROL_VERSION = 1;

export const MAX_TEXT_CHARACTERS = 64 * 1024;
/** The limit allows an update with one screen of text. */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

const issue = {
  /** `owner/name` */
  repo: z.string().max(200),
  number: z.int().positive(),
};
const durationMs = z.int().min(100).max(2_147_483_647);

/** The dialog as the person saw it. The limits are far above the size of any screen. */
const seenDialog = z.strictObject({
  kind: z.enum(DIALOG_KINDS),
  heading: z.string().max(10_000),
  choices: z.array(z.string().max(10_000)).max(200),
});

const observerMode = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("live") }),
  z.strictObject({ type: z.literal("poll"), intervalMs: durationMs, expiresMs: durationMs.nullable() }),
  z.strictObject({ type: z.literal("passive-final") }),
]);

/** The calls that another process may make to the parent of a batch. */
export const controlCallSchema = z.discriminatedUnion("method", [
  z.strictObject({ method: z.literal("ping") }),
  z.strictObject({ method: z.literal("stop"), ...issue }),
  z.strictObject({ method: z.literal("kill"), ...issue }),
  z.strictObject({ method: z.literal("send"), ...issue, text: z.string().min(1).max(MAX_TEXT_CHARACTERS) }),
  z.strictObject({
    method: z.literal("answer"),
    ...issue,
    dialog: seenDialog,
    choice: z.int().nonnegative().max(200),
  }),
  z.strictObject({ method: z.literal("observe"), ...issue, mode: observerMode }),
]);
export type ControlCall = z.infer<typeof controlCallSchema>;
export type ControlMethod = ControlCall["method"];

export const controlRequestSchema = z.object({
  v: z.int(),
  id: z.int().nonnegative(),
  call: z.unknown(),
});

const noActiveRun = z.object({ type: z.literal("no-active-run") });
const stopping = z.union([z.object({ type: z.literal("stopping") }), noActiveRun]);

const typed = z.discriminatedUnion("type", [
  z.object({ type: z.literal("sent") }),
  z.object({ type: z.literal("refused"), reason: z.string(), remedy: z.string() }),
  noActiveRun,
]);

export const CONTROL_REPLIES = {
  ping: z.object({ type: z.literal("alive"), runId: z.string(), parent: z.string() }),
  stop: stopping,
  kill: stopping,
  send: typed,
  answer: typed,
  /** This reply is sent after the updates. */
  observe: z.discriminatedUnion("type", [z.object({ type: z.literal("ended") }), noActiveRun]),
} satisfies Record<ControlMethod, z.ZodType>;
export type ControlReply<M extends ControlMethod> = z.infer<(typeof CONTROL_REPLIES)[M]>;

const viewSchema: z.ZodType<RunView> = z.object({
  key: z.string(),
  runId: z.string(),
  phase: z.enum(runPhases),
  runState: z.enum(runStates),
  activity: z.enum(activityStates),
  displayStatus: z.enum(displayStatuses),
  surface: z.enum(surfaces),
  sessionId: z.string().nullable(),
  end: triageRunEndSchema.nullable(),
});

const updateSchema: z.ZodType<RunUpdate> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("changed"), view: viewSchema }),
  z.object({ type: z.literal("output"), text: z.string(), view: viewSchema }),
  z.object({ type: z.literal("settled"), evidence: z.enum(settlementEvidences), view: viewSchema }),
  z.object({ type: z.literal("ended"), view: viewSchema }),
]);

/** `id` is null when the request was too malformed to have one; the parent then closes the connection. */
export const controlMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("reply"), id: z.int(), reply: z.unknown() }),
  z.object({ type: z.literal("update"), id: z.int(), update: updateSchema }),
  z.object({
    type: z.literal("failure"),
    id: z.int().nullable(),
    error: z.object({ code: z.string(), message: z.string(), remedy: z.string() }),
  }),
]);
export type ControlMessage = z.infer<typeof controlMessageSchema>;
