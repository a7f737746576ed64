import type { GithubReader, IssueRef } from "../../../github/index.ts";
import type { PublicationTarget } from "../../policy/index.ts";

/**
 * Returns whether a close as a duplicate would leave a bug without an open issue (D6), because the canonical issue was closed,
 * moved or deleted since it was found. Makes a request only if the issue is to be closed as a duplicate.
 */
export async function isCanonicalClosed(
  { repo }: Pick<IssueRef, "repo">,
  { close, canonical }: Pick<PublicationTarget, "close" | "canonical">,
  { reader }: { reader: Pick<GithubReader, "issue"> },
  signal: AbortSignal,
): Promise<boolean> {
  if (close !== "duplicate" || canonical === undefined) return false;
  const lookup = await reader.issue({ repo, number: canonical }, signal);
  return lookup.type === "gone" || lookup.issue.state === "closed";
}

/** The reason to requeue an issue whose canonical issue is closed. */
export const CANONICAL_CLOSED = "canonical-closed";
