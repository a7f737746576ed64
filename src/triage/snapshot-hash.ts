import { createHash } from "node:crypto";
import type { Issue, IssueComment } from "../github/index.ts";

/**
 * Returns a digest of everything that a decision is based on (policy 8, S13). It changes with every edit, label, lock, close and
 * human comment. Comments by bots and by our own account do not change it.
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
