import { z } from "zod";
import { inertBlockSchema } from "./run-documents.ts";

const postSchema = z.object({
  /** null: the account was deleted. */
  author: z.string().nullable(),
  createdAt: z.string(),
  blocks: z.array(inertBlockSchema),
});

/** The issue of a Triage Run as its Triage Agent received it, laid out as blocks of plain text. */
export const issueSchema = z.object({
  schema: z.literal("afk-triage/board-issue@1"),
  /** null: the issue was not kept. */
  issue: postSchema
    .extend({
      title: z.string(),
      labels: z.array(z.string()),
      /** The newest comments, in the order of the thread. `omittedComments` counts the older comments. */
      comments: z.array(postSchema.extend({ isReporter: z.boolean() })),
      omittedComments: z.int().nonnegative(),
      /** The number of places where hidden text was removed or made visible. */
      hiddenTexts: z.int().nonnegative(),
    })
    .nullable(),
});
export type IssueDocument = z.infer<typeof issueSchema>;
