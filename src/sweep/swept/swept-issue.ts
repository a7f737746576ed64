import { z } from "zod";
import { evidenceFactsSchema } from "../../runs/index.ts";
import { verdictSchema } from "../verdict/index.ts";

const count = z.number().nonnegative();

/** `afk-triage/swept-issue@1`: what the sweeps of one home know of an issue. One private file an issue. */
export const sweptIssueSchema = z.strictObject({
  schema: z.literal("afk-triage/swept-issue@1"),
  repo: z.string(),
  number: z.int().positive(),
  title: z.string(),
  url: z.string(),
  labels: z.array(z.string()),
  milestone: z.string().nullable(),
  createdAt: z.string(),
  /** Reactions to the issue's own text. */
  reactions: z.int().nonnegative(),
  /** Reporter and commenters, without bots and ourselves. */
  people: z.int().nonnegative(),
  /** Snapshot hash of the issue that the verdict is about. */
  seen: z.string(),
  /** GitHub's time of change when the issue was last looked at. */
  updatedAt: z.string(),
  /** The sweep that came to the verdict, and when. */
  runId: z.string(),
  at: z.iso.datetime(),
  /** The script that was run, or the Triage Agent that was asked. */
  origin: z.enum(["stored", "issue", "linked", "triage-agent", "none"]),
  verdict: verdictSchema,
  /** How far the runs can be trusted. */
  evidence: evidenceFactsSchema.nullable(),
  reproduction: z
    .strictObject({
      script: z.string(),
      expect: z.strictObject({ exitCode: z.int().nullable(), outputContains: z.string().nullable() }),
    })
    .nullable(),
  usage: z.strictObject({ inputTokens: count, outputTokens: count, usd: count }),
  /** The state of the comment on this verdict. */
  comment: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("due") }),
    z.strictObject({ type: z.literal("published") }),
    z.strictObject({ type: z.literal("none"), why: z.string() }),
  ]),
  /** The latest comment of a sweep, whatever verdict it was on; null: none. */
  said: z
    .strictObject({
      key: z.string(),
      commentId: z.int(),
      url: z.string(),
      at: z.string(),
      /** When the issue may be closed; null: no close was proposed. */
      closeAfter: z.string().nullable(),
      /** Hash of the issue's own text then; null: an older version did not keep it. */
      textHash: z.string().nullable().default(null),
    })
    .nullable(),
  /** The state of the close that `said` proposed. */
  close: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("open") }),
    z.strictObject({ type: z.literal("cancelled"), why: z.string(), at: z.string() }),
    z.strictObject({ type: z.literal("done"), at: z.string() }),
  ]),
  /** Whether the last list of open issues had it; one that was moved or deleted is on none. An older version did not keep it. */
  isOpen: z.boolean().default(true),
});

export type SweptIssue = z.infer<typeof sweptIssueSchema>;
