import type { GithubReader, IssueRef } from "../../../github/index.ts";
import type { PublicationTarget } from "../../policy/index.ts";

/**
 * Whether a close as a duplicate would leave a bug without an open issue (D6): the issue that stands for it was closed, moved or
 * deleted since it was found. Makes a request only before such a close.
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

/** Why such an issue is requeued. */
export const CANONICAL_CLOSED = "canonical-closed";
