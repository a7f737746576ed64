import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { parseJson } from "agent-tty/kit";
import type { IssueDocument } from "../api/index.ts";
import type { RunEvidence } from "../../home/index.ts";
import { readText } from "./artifacts.ts";
import { inertBlocks } from "./inert-blocks.ts";

/** The largest issue file, in bytes. It contains at most 300,000 characters of comments, and a body of at most 65,536. */
const MAX_BYTES = 4 * 1024 * 1024;
/**
 * The limits of the newest comments that are laid out: one page of GitHub's own view, and as much text as takes about a second.
 */
const [MAX_COMMENTS, MAX_COMMENT_CHARACTERS] = [30, 100_000];

const post = z.object({ author: z.string().nullable(), createdAt: z.string(), body: z.string() });

/** The parts of the batch's `issue.json` (`afk-triage/issue@1`) that the board shows. */
const issueFileSchema = post.extend({
  title: z.string(),
  labels: z.array(z.string()),
  flags: z.array(z.object({ count: z.int().nonnegative() })),
  omittedComments: z.int().nonnegative(),
  comments: z.array(post.extend({ isReporter: z.boolean() })),
});

/**
 * Returns the issue of a Triage Run as inert text (B10); `issue` is null if the file is missing or damaged. Other requests are
 * answered between two comments.
 */
export async function issueDocument(files: RunEvidence["files"]): Promise<IssueDocument> {
  const schema = "afk-triage/board-issue@1";
  const file = issueFileSchema.safeParse(parseJson((await readText(files, "issue", MAX_BYTES)) ?? "")).data;
  if (file === undefined) return { schema, issue: null };
  const { body, flags, comments: all, ...rest } = file;
  const shown = newest(all);
  const comments = [];
  for (const { body: text, ...comment } of shown) {
    comments.push({ ...comment, blocks: inertBlocks(text) });
    await setImmediate();
  }
  return {
    schema,
    issue: {
      ...rest,
      blocks: inertBlocks(body),
      comments,
      omittedComments: file.omittedComments + all.length - shown.length,
      hiddenTexts: flags.reduce((sum, { count }) => sum + count, 0),
    },
  };
}

function newest<Comment extends { body: string }>(comments: readonly Comment[]): Comment[] {
  const kept: Comment[] = [];
  let characters = 0;
  for (const comment of comments.slice(-MAX_COMMENTS).toReversed()) {
    characters += comment.body.length;
    if (characters > MAX_COMMENT_CHARACTERS) break;
    kept.unshift(comment);
  }
  return kept;
}
