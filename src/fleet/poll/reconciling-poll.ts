import { messageOf } from "agent-tty/kit";
import { z } from "zod";
import { type GithubReader, type Issue, updatedIssuePages } from "../../github/index.ts";
import type { VisitQueue } from "../queue/index.ts";
import { type FollowedRepository, repositoryName, WORKED_FOR } from "../repositories/index.ts";
import type { Sql } from "../sql/index.ts";

/**
 * Finds updates whose deliveries were lost, came while the fleet was down, or were too large for GitHub to send.
 */
export interface ReconcilingPoll {
  /**
   * Polls each followed repository that was not polled for `intervalMs`, one after the other. A failed poll is reported, and the
   * repository is polled again after the next interval. Returns the number of polled repositories. Rejects with
   * FLEET_DATABASE_UNAVAILABLE or the signal's reason.
   */
  pollDue(intervalMs: number, signal: AbortSignal): Promise<number>;
}

export interface PollPorts {
  sql: Sql;
  queue: Pick<VisitQueue, "enqueue">;
  /** Returns a reader with the credential of the repository's installation. */
  readerOf: (repository: FollowedRepository) => Pick<GithubReader, "updatedIssues">;
  /** Runs for each repository after its poll; a failure is reported like a failed poll. */
  afterwards?: (repository: FollowedRepository, signal: AbortSignal) => Promise<void>;
  onFailure: (message: string) => void;
}

/** GitHub's list may lag behind an update by a few minutes at most. */
const OVERLAP_MS = 5 * 60_000;

/** An update of one issue that a poll has enqueued. */
const seenUpdate = z.object({ number: z.int(), updatedAt: z.string() });
type SeenUpdate = z.infer<typeof seenUpdate>;

/**
 * The condition for a poll that is due, by the database's clock. A poll that is further in the future than a claim by another
 * worker was written by a wrong clock.
 */
const IS_DUE = "(polled_at_ms <= $2 or polled_at_ms - 60000 > $1)";

const claimed = z.object({
  id: z.coerce.number(),
  name: repositoryName,
  installationId: z.coerce.number().nullable(),
  to: z.string().nullable(),
  last: z.string(),
  atMs: z.coerce.number(),
});

/** Returns the poll that finds issues whose webhooks were lost. Workers claim one repository at a time in the database. */
export function reconcilingPoll({ sql, queue, readerOf, afterwards, onFailure }: PollPorts): ReconcilingPoll {
  const claim = async (beforeMs: number): Promise<z.infer<typeof claimed> | undefined> => {
    const [row] = await sql.rows(
      claimed,
      `update fleet_repository set polled_at_ms = $1 where ${IS_DUE} and repository_id = (
         select repository_id from fleet_repository where ${IS_DUE} and ${WORKED_FOR}
         order by polled_at_ms, repository_id limit 1)
       returning repository_id as id, name, installation_id as "installationId", polled_to as "to", polled_last as last,
         polled_at_ms as "atMs"`,
      await sql.nowMs(),
      beforeMs,
    );
    return row;
  };
  const enqueue = async ({ id, name }: FollowedRepository, { ref }: Issue): Promise<void> => {
    const owner = name.split("/")[0] ?? "";
    await queue.enqueue({
      repositoryId: id,
      number: ref.number,
      owner,
      isUrgent: false,
      delayMs: 0,
    });
  };
  const poll = async (
    { to, last, atMs, ...repository }: z.infer<typeof claimed>,
    signal: AbortSignal,
  ): Promise<void> => {
    const reader = readerOf(repository);
    let seen = z.array(seenUpdate).parse(JSON.parse(last));
    const since = to === null ? null : minus(to, OVERLAP_MS);
    let newest = to;
    for await (const { issues, upTo } of updatedIssuePages(reader, repository.name, since, signal)) {
      const news = issues.filter((issue) => isWorkable(issue) && !isSeen(seen, issue));
      for (const issue of news) await enqueue(repository, issue);
      if (upTo !== null && (newest === null || upTo > newest)) newest = upTo;
      seen = recentUpdates(seen, news, newest);
      // The progress is stored after the visits of each page, so that a kill repeats one page and skips none. It is not stored if
      // the repository was claimed again in the meantime, or has to be polled from the start.
      const kept = await sql.rows(
        z.unknown(),
        `update fleet_repository set polled_to = $2, polled_last = $3 where repository_id = $1 and polled_at_ms = $4
         returning repository_id`,
        repository.id,
        newest,
        JSON.stringify(seen),
        atMs,
      );
      if (kept.length === 0) return;
    }
    await afterwards?.(repository, signal);
  };
  return {
    pollDue: async (intervalMs, signal) => {
      const beforeMs = (await sql.nowMs()) - intervalMs;
      for (let polled = 0; ; polled += 1) {
        signal.throwIfAborted();
        const row = await claim(beforeMs);
        if (row === undefined) return polled;
        await poll(row, signal).catch((error: unknown) => {
          signal.throwIfAborted();
          onFailure(`poll ${row.name}: ${messageOf(error)}`);
        });
      }
    },
  };
}

/**
 * Returns whether a visit of the issue can have an effect: eligibility skips all pull requests and closed issues. A poll from the
 * start lists every issue that the repository ever had, and a new issue waits behind the visits of that poll.
 */
function isWorkable({ isPullRequest, state }: Issue): boolean {
  return !isPullRequest && state === "open";
}

/** Returns the updates that the next poll reads again because of the overlap. Pure. */
function recentUpdates(
  seen: readonly SeenUpdate[],
  news: readonly Issue[],
  newest: string | null,
): SeenUpdate[] {
  const from = newest === null ? "" : minus(newest, OVERLAP_MS);
  const added = news.map(({ ref, updatedAt }) => ({ number: ref.number, updatedAt }));
  return seen.concat(added).filter(({ updatedAt }) => updatedAt >= from);
}

function isSeen(seen: readonly SeenUpdate[], { ref, updatedAt }: Issue): boolean {
  return seen.some((one) => one.number === ref.number && one.updatedAt === updatedAt);
}

/** Returns an ISO time of whole seconds, as GitHub writes it, `ms` milliseconds before `time`. */
function minus(time: string, ms: number): string {
  return new Date(Date.parse(time) - ms).toISOString().replace(".000Z", "Z");
}
