import { z } from "zod";
import type { CheckResult, PullRequestPage, Review } from "../pull-request-verdicts.ts";
import { isAffiliation, toPerson, userSchema } from "./wire-schemas.ts";

/** A timeline event of any kind; only an event with a source can be a reference. */
export const timelineEventSchema = z.object({
  event: z.string().nullish(),
  source: z
    .object({
      issue: z
        .object({
          number: z.int().positive(),
          state: z.enum(["open", "closed"]),
          body: z.string().nullish(),
          html_url: z.string(),
          updated_at: z.string(),
          closed_at: z.string().nullish(),
          pull_request: z.object({ merged_at: z.string().nullish() }).nullish(),
          repository: z.object({ full_name: z.string() }).nullish(),
          repository_url: z.string().nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
export type TimelineEvent = z.infer<typeof timelineEventSchema>;

export const pullRequestSchema = z.object({
  number: z.int().positive(),
  html_url: z.string(),
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  closed_at: z.string().nullish(),
  updated_at: z.string(),
  user: userSchema.nullish(),
  head: z.object({ sha: z.string() }),
  mergeable: z.boolean().nullish(),
  mergeable_state: z.string().nullish(),
  requested_reviewers: z.array(z.unknown()).nullish(),
  requested_teams: z.array(z.unknown()).nullish(),
});

export const reviewSchema = z.object({
  id: z.int(),
  user: userSchema.nullish(),
  state: z.string(),
  commit_id: z.string().nullish(),
  author_association: z.string().nullish(),
});

export const checkRunsSchema = z.object({
  check_runs: z.array(z.object({ status: z.string(), conclusion: z.string().nullish() })),
});

export const combinedStatusSchema = z.object({ state: z.string(), total_count: z.int() });

/** Returns a pull request of GitHub's REST API as facts; values that GitHub does not return become null or `unknown`. */
export function toPage(wire: z.infer<typeof pullRequestSchema>): PullRequestPage {
  const requested = [...(wire.requested_reviewers ?? []), ...(wire.requested_teams ?? [])];
  return {
    authorId: wire.user?.id ?? null,
    headSha: wire.head.sha,
    hasRequestedReviewers: requested.length > 0,
    canMerge: wire.mergeable ?? null,
    mergeState: wire.mergeable_state ?? "unknown",
  };
}

const verdicts: Record<string, Review["verdict"]> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes_requested",
  COMMENTED: "commented",
  DISMISSED: "dismissed",
};

/** Returns a review as facts; an empty list for a review that is not submitted yet. */
export function toReview(wire: z.infer<typeof reviewSchema>): Review[] {
  const verdict = verdicts[wire.state.toUpperCase()];
  if (verdict === undefined) return [];
  const decides = isAffiliation(wire.author_association);
  return [{ id: wire.id, author: toPerson(wire.user), verdict, commitSha: wire.commit_id ?? null, decides }];
}

const PASSED: ReadonlySet<string> = new Set(["success", "neutral", "skipped"]);

/**
 * Returns the result of a check run. Unknown conclusions count as failing, in case GitHub adds new ones; a stale run is pending,
 * because it will run again.
 */
export function toCheckResult(run: z.infer<typeof checkRunsSchema>["check_runs"][number]): CheckResult {
  if (run.status !== "completed" || run.conclusion === "stale") return "pending";
  return PASSED.has(run.conclusion ?? "") ? "passing" : "failing";
}

/** Returns the result of a combined status; an empty list for a commit without any status, for which GitHub reports "pending". */
export function toStatusResult(wire: z.infer<typeof combinedStatusSchema>): CheckResult[] {
  if (wire.total_count === 0) return [];
  if (wire.state === "success") return ["passing"];
  return [wire.state === "pending" ? "pending" : "failing"];
}

/** Returns whether the issue belongs to the repository. GitHub returns the name in either of two fields; case does not count. */
export function isOfRepository(
  issue: Pick<NonNullable<NonNullable<TimelineEvent["source"]>["issue"]>, "repository" | "repository_url">,
  repo: string,
): boolean {
  const name = issue.repository?.full_name ?? issue.repository_url?.split("/").slice(-2).join("/") ?? "";
  return name.toLowerCase() === repo.toLowerCase();
}
