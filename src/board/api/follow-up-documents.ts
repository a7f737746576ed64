import { z } from "zod";

/** The commands that a person may start from a settled Triage Run: `afk-triage verify` and `afk-triage run` for its issue. */
const followUpCommands = ["verify", "run"] as const;
export type FollowUpCommand = (typeof followUpCommands)[number];

/**
 * A command that was started from a Triage Run. `lines` are the last lines that it printed; `exitCode` is null after a signal.
 */
const followUpSchema = z.object({
  command: z.enum(followUpCommands),
  startedAtMs: z.number(),
  end: z.object({ atMs: z.number(), exitCode: z.int().nullable() }).nullable(),
  lines: z.array(z.string()),
});
export type FollowUpDocument = z.infer<typeof followUpSchema>;

/** The follow-ups of a Triage Run, the newest first. */
export const followUpListSchema = z.object({
  schema: z.literal("afk-triage/board-follow-ups@1"),
  followUps: z.array(followUpSchema),
});
export type FollowUpListDocument = z.infer<typeof followUpListSchema>;
