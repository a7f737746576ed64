import { z } from "zod";
import { inertBlockSchema } from "./run-documents.ts";

const postSchema = z.object({
  /** null: the account was deleted. */
  author: z.string().nullable(),
  createdAt: z.string(),
  blocks: z.array(inertBlockSchema),
});

/** The issue of a Triage Run as its Triage Agent was given it, laid out as blocks of plain text. */
export const issueSchema = z.object({
  schema: z.literal("afk-triage/board-issue@1"),
  /** null: it was not kept. */
  issue: postSchema
    .extend({
      title: z.string(),
      labels: z.array(z.string()),
      /** The newest ones, in the order of the thread. `omittedComments` counts the older ones. */
      comments: z.array(postSchema.extend({ isReporter: z.boolean() })),
      omittedComments: z.int().nonnegative(),
      /** How much hidden text was removed or made visible. */
      hiddenTexts: z.int().nonnegative(),
    })
    .nullable(),
});
export type IssueDocument = z.infer<typeof issueSchema>;
