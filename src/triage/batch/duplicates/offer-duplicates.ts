import { messageOf } from "agent-tty/kit";
import {
  type DuplicateCandidate,
  type IssueIndex,
  issueText,
  offerCandidates,
} from "../../../duplicates/index.ts";
import type { Issue } from "../../../github/index.ts";
import type { BatchContext } from "../batch-context.ts";

/** So many more are taken from the index, because some may be gone from GitHub. */
const SPARE = 3;

/**
 * D2: the candidates that a Triage Agent may choose among, with titles and states as GitHub has them now. Issues that were deleted or
 * moved are forgotten. A failure is a warning, and no candidates.
 */
export async function offerDuplicates(
  issue: Issue,
  context: BatchContext,
  signal: AbortSignal,
): Promise<DuplicateCandidate[]> {
  const { candidates: limit } = context.settings.duplicates;
  const { duplicates, observe } = context.ports;
  if (limit === 0) return [];
  try {
    const index = await duplicates.of(issue.ref.repo);
    const offered: DuplicateCandidate[] = [];
    for (const candidate of offerCandidates(index, issueText(issue), limit + SPARE)) {
      if (offered.length >= limit) break;
      const known = await look(candidate, issue, index, context, signal);
      if (known !== null) offered.push(known);
    }
    return offered;
  } catch (error) {
    signal.throwIfAborted();
    observe({ type: "warning", message: `no likely duplicates were looked for: ${messageOf(error)}` });
    return [];
  }
}

async function look(
  candidate: DuplicateCandidate,
  { ref }: Issue,
  index: IssueIndex,
  { ports }: BatchContext,
  signal: AbortSignal,
): Promise<DuplicateCandidate | null> {
  const found = await ports.reader.issue({ repo: ref.repo, number: candidate.number }, signal);
  if (found.type === "gone" || found.issue.isPullRequest) {
    index.remove(candidate.number);
    return null;
  }
  const { title, state, author } = found.issue;
  return { ...candidate, title, state, reporter: author?.id ?? null };
}
