import { createHash } from "node:crypto";
import type { Issue, IssueComment } from "../github/index.ts";

/**
 * Policy 8 and S13: a digest of all that a decision was based on. It changes with every edit, label, lock, close and
 * human comment, and stays the same whatever bots and we ourselves write.
 */
export function snapshotHash(issue: Issue, comments: readonly IssueComment[], viewerId: number): string {
  const people = comments
    .filter(({ author }) => author === null || (!author.isBot && author.id !== viewerId))
    .toSorted((a, b) => a.id - b.id)
    .map((comment) => [comment.id, comment.updatedAt, comment.body]);
  const { title, body, state, locked, labels } = issue;
  const facts = JSON.stringify([title, body, state, locked, labels.toSorted(), people]);
  return createHash("sha256").update(facts).digest("hex");
}
