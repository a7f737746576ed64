import { z } from "zod";
import type { RunDocument } from "../api/index.ts";
import { inertBlocks } from "./inert-blocks.ts";
import { parsed } from "./verification-document.ts";

/** An issue file holds at most 300,000 characters of comments, and a body of at most 65,536. */
export const ISSUE_MAX_BYTES = 4 * 1024 * 1024;
/** The newest comments that are laid out: a page of GitHub's own view. */
const MAX_COMMENTS = 30;

/** What the board shows of `issue.json` (`afk-triage/issue@1`), as the batch keeps it. */
const issueFileSchema = z.object({
  title: z.string(),
  body: z.string(),
  author: z.string().nullable(),
  createdAt: z.string(),
  labels: z.array(z.string()),
  flags: z.array(z.object({ count: z.int().nonnegative() })),
  omittedComments: z.int().nonnegative(),
  comments: z.array(
    z.object({
      author: z.string().nullable(),
      isReporter: z.boolean(),
      createdAt: z.string(),
      body: z.string(),
    }),
  ),
});

/** The issue as the Triage Agent was given it, laid out as plain text (B10); null for a file that is missing or damaged. */
export function issueDocument(text: string | null): RunDocument["issue"] {
  const file = issueFileSchema.safeParse(parsed(text)).data;
  if (file === undefined) return null;
  const { title, body, author, createdAt, labels, flags, comments } = file;
  const shown = comments.slice(-MAX_COMMENTS);
  return {
    title,
    author,
    createdAt,
    labels,
    blocks: inertBlocks(body),
    comments: shown.map((comment) => ({
      author: comment.author,
      isReporter: comment.isReporter,
      createdAt: comment.createdAt,
      blocks: inertBlocks(comment.body),
    })),
    omittedComments: file.omittedComments + comments.length - shown.length,
    hiddenTexts: flags.reduce((sum, { count }) => sum + count, 0),
  };
}
