import {
  type DuplicateCandidate,
  issueText,
  offerCandidates,
  presentCandidates,
  SPARE_CANDIDATES,
} from "../../../duplicates/index.ts";
import type { Issue } from "../../../github/index.ts";
import type { BatchPorts } from "../batch-context.ts";
import type { BatchSettings } from "../settings.ts";
import { warnOfFailure } from "./warn-of-failure.ts";

interface CandidateSearch {
  settings: Pick<BatchSettings, "duplicates">;
  ports: Pick<BatchPorts, "duplicates" | "reader" | "observe">;
}

/**
 * Returns the candidates that a Triage Agent may choose from, with their present titles and states on GitHub (D2). Issues that
 * were deleted or moved are removed from the index. After a failure, it reports a warning and returns no candidates.
 */
export async function offerDuplicates(
  issue: Issue,
  context: CandidateSearch,
  signal: AbortSignal,
): Promise<DuplicateCandidate[]> {
  const { candidates: limit } = context.settings.duplicates;
  const { duplicates, reader } = context.ports;
  if (limit === 0) return [];
  const { repo } = issue.ref;
  try {
    const index = await duplicates.of(repo);
    const likely = offerCandidates(index, issueText(issue), limit + SPARE_CANDIDATES);
    return await presentCandidates(likely, { index, repo, reader, limit, signal });
  } catch (error) {
    signal.throwIfAborted();
    await warnOfFailure("no likely duplicates were looked for", repo, error, context.ports);
    return [];
  }
}
