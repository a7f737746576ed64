import type { ScopeNote } from "./checkout.ts";
import { clip, oneLine } from "./inert-text.ts";
import type { IssueFile } from "./issue-file.ts";

const PRIOR_REQUESTS = "## Prior requests";

/** The note as it would read with this request added to its list. */
export function proposedScopeEntry(note: ScopeNote, issue: IssueFile): string {
  const request = `- #${issue.number}: "${oneLine(issue.title, 200)}"`;
  const text = clip(note.text.trim(), 6_000);
  return text.includes(PRIOR_REQUESTS)
    ? `${text}\n${request}\n`
    : `${text}\n\n${PRIOR_REQUESTS}\n\n${request}\n`;
}
