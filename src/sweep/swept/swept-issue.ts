import { z } from "zod";
import { evidenceFactsSchema } from "../../runs/index.ts";
import { verdictSchema } from "../verdict/index.ts";

const count = z.number().nonnegative();

/** `afk-triage/swept-issue@1`: the facts about an issue from the sweeps of one home. Each issue has one private file. */
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
  /** The number of people who reported or commented, without bots and ourselves. */
  people: z.int().nonnegative(),
  /** The snapshot hash of the issue for which the verdict holds. */
  seen: z.string(),
  /** GitHub's `updated_at` of the issue when a sweep last read it. */
  updatedAt: z.string(),
  /** The sweep that reached the verdict, and the time. */
  runId: z.string(),
  at: z.iso.datetime(),
  /** The source of the script that was run, or the Triage Agent. */
  origin: z.enum(["stored", "issue", "linked", "triage-agent", "none"]),
  verdict: verdictSchema,
  /** The strength of the evidence; null: there is none. */
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
  /** The latest comment of a sweep on any verdict; null: there is none. */
  said: z
    .strictObject({
      key: z.string(),
      commentId: z.int(),
      url: z.string(),
      at: z.string(),
      /** The time after which the issue may be closed; null: no close was proposed. */
      closeAfter: z.string().nullable(),
      /** The hash of the issue's text at that time; null: an older version did not store it. */
      textHash: z.string().nullable().default(null),
    })
    .nullable(),
  /** The state of the close that `said` proposed. */
  close: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("open") }),
    z.strictObject({ type: z.literal("cancelled"), why: z.string(), at: z.string() }),
    z.strictObject({ type: z.literal("done"), at: z.string() }),
  ]),
  /**
   * Whether the last list of open issues contained the issue. An issue that was moved or deleted is in no list. An older version
   * did not store this.
   */
  isOpen: z.boolean().default(true),
});

export type SweptIssue = z.infer<typeof sweptIssueSchema>;
