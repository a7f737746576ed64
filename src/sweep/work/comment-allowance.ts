import type { Clock } from "agent-tty/kit";
import { type IssueRef, issueKey, type RepositoryName } from "../../github/index.ts";
import { isInShard } from "../../triage/index.ts";
import type { SweepSettings } from "../settings.ts";
import type { SweptLibrary } from "../swept/index.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * The number of comments that sweeps may still write to a repository within 24 hours (W4). The object counts the comments of one
 * process; the home stores earlier ones. A shard has a fixed part of the allowance, and only comments on its own issues count
 * against it. So the limit holds whether or not the shards share a home, and whenever they run.
 */
export interface CommentAllowance {
  /**
   * Takes one comment from the repository's allowance; an issue that has taken one keeps it. Returns false if the allowance is
   * used up.
   */
  take(ref: IssueRef): Promise<boolean>;
  /** Returns whether `take` would succeed. */
  has(ref: IssueRef): Promise<boolean>;
}

/** Returns an allowance that counts the comments of the last 24 hours against `commentsPerDay`, or against a shard's part of it. */
export function createCommentAllowance(
  library: SweptLibrary,
  { commentsPerDay, shard }: Pick<SweepSettings, "commentsPerDay" | "shard">,
  clock: Clock,
): CommentAllowance {
  const perDay = partOf(commentsPerDay, shard);
  const earlier = new Map<RepositoryName, Promise<number>>();
  const taken = new Map<RepositoryName, Set<string>>();
  const takenOf = (repo: RepositoryName): Set<string> => {
    const known = taken.get(repo) ?? new Set();
    taken.set(repo, known);
    return known;
  };
  const writtenBefore = (repo: RepositoryName): Promise<number> => {
    const counted = earlier.get(repo) ?? writtenSince(library, repo, shard, clock.nowMs() - DAY_MS);
    earlier.set(repo, counted);
    return counted;
  };
  const isGranted = (before: number, ref: IssueRef): boolean => {
    const own = takenOf(ref.repo);
    return own.has(issueKey(ref)) || before + own.size < perDay;
  };
  return {
    has: async (ref) => isGranted(await writtenBefore(ref.repo), ref),
    take: async (ref) => {
      const before = await writtenBefore(ref.repo);
      // Nothing may be awaited between this check and the update, because another issue could then take the same comment of the
      // allowance.
      const granted = isGranted(before, ref);
      if (granted) takenOf(ref.repo).add(issueKey(ref));
      return granted;
    },
  };
}

/** Returns a shard's part of the allowance; the first shards get the remainder of the division. */
function partOf(commentsPerDay: number, shard: SweepSettings["shard"]): number {
  if (shard === null) return commentsPerDay;
  const { index, count } = shard;
  return Math.floor(commentsPerDay / count) + (index <= commentsPerDay % count ? 1 : 0);
}

async function writtenSince(
  library: SweptLibrary,
  repo: RepositoryName,
  shard: SweepSettings["shard"],
  sinceMs: number,
): Promise<number> {
  const all = await library.all(repo);
  return all.filter(
    ({ said, number }) =>
      said !== null && Date.parse(said.at) > sinceMs && isInShard({ repo, number }, shard),
  ).length;
}
