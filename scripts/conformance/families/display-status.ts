import { z } from "zod";
import {
  type ActivityFacts,
  activityStates,
  deriveDisplayStatus,
  type PullRequestFacts,
  selectDisplayPullRequest,
  SPAWN_GRACE_MS,
} from "../../../src/runs/index.ts";
import { type CaseReport, compare, notCoveredSections } from "../case-report.ts";
import { family } from "../family.ts";

const pullRequestSchema = z.strictObject({
  merged: z.boolean().optional(),
  closed: z.boolean().optional(),
  draft: z.boolean().optional(),
  review_comments: z.boolean().optional(),
  ci: z.enum(["pending", "passing", "failing"]).optional(),
  review: z.enum(["review_required", "approved", "changes_requested"]).optional(),
  mergeability: z.enum(["mergeable", "conflicting"]).optional(),
});

const schema = z.looseObject({
  grace_seconds: z.number(),
  comparison: z.literal("strictly greater than grace"),
  pr_pipeline_order: z.array(z.string()),
  display_pr: z.literal("open PRs before merged/closed, then newest updated_at"),
  cases: z.array(
    z.object({
      id: z.string(),
      activity_state: z.enum(activityStates),
      is_terminated: z.boolean(),
      pr: pullRequestSchema.nullable(),
      silent_for_s: z.number(),
      first_signal_received: z.boolean(),
      signal_capable: z.boolean(),
      expect_seed: z.string(),
    }),
  ),
});

const NOW_MS = Date.UTC(2026, 0, 1);

export const displayStatus = family(/^ao_display_status_cases\.json$/, schema, (content) => [
  ...content.cases.map(checkCase),
  checkGrace(content.grace_seconds),
  compare("order of an open pull request's statuses", content.pr_pipeline_order, pipelineOrder()),
  compare(`display pull request: ${content.display_pr}`, [3, 4], displayPullRequests()),
  ...notCoveredSections(content, Object.keys(schema.shape), "unknown section"),
]);

function checkCase(one: z.infer<typeof schema>["cases"][number]): CaseReport {
  const sinceMs = NOW_MS - one.silent_for_s * 1_000;
  const activity: ActivityFacts = {
    state: one.activity_state,
    isTerminated: one.is_terminated,
    spawnedAtMs: sinceMs,
    firstSignalAtMs: one.first_signal_received ? sinceMs : null,
    lastActivityAtMs: sinceMs,
    isSignalCapable: one.signal_capable,
    exitCode: null,
  };
  const pullRequests = one.pr === null ? [] : [pullRequest(one.pr)];
  return compare(one.id, one.expect_seed, deriveDisplayStatus({ activity }, pullRequests, NOW_MS));
}

/** Checks the grace period to the millisecond: exactly at its end no signal is missing yet. */
function checkGrace(graceSeconds: number): CaseReport {
  const graceMs = graceSeconds * 1_000;
  const after = (silentMs: number): string =>
    deriveDisplayStatus({ activity: silentSince(NOW_MS - silentMs) }, [], NOW_MS);
  return compare(
    "grace",
    { graceMs, at: "idle", beyond: "no_signal" },
    { graceMs: SPAWN_GRACE_MS, at: after(graceMs), beyond: after(graceMs + 1) },
  );
}

/**
 * Derives the status of a pull request that first has every property and then loses the displayed one at each step, until none is
 * left.
 */
function pipelineOrder(): string[] {
  const all = { ci: "failing", draft: true, review_comments: true, mergeability: "mergeable" } as const;
  const { ci: _ci, ...second } = all;
  const { draft: _draft, ...third } = second;
  const { review_comments: _comments, ...fourth } = third;
  const steps = [
    { ...all, review: "approved" },
    { ...second, review: "approved" },
    { ...third, review: "approved" },
    { ...fourth, review: "approved" },
    { review: "approved" },
    { review: "review_required" },
    {},
  ] as const;
  const activity = silentSince(NOW_MS);
  return steps.map((pr) => deriveDisplayStatus({ activity }, [pullRequest(pr)], NOW_MS));
}

/** Returns the displayed pull request when an older one is open among newer closed ones, and when neither of two is open. */
function displayPullRequests(): (number | undefined)[] {
  const numbered = (
    number: number,
    pr: z.infer<typeof pullRequestSchema>,
    agoMs: number,
  ): PullRequestFacts => ({
    ...pullRequest(pr),
    number,
    updatedAtMs: NOW_MS - agoMs,
  });
  const merged = numbered(1, { merged: true }, 1);
  const olderOpen = numbered(2, {}, 9);
  const open = numbered(3, {}, 5);
  const closed = numbered(4, { closed: true }, 0);
  return [
    [merged, olderOpen, open, closed],
    [merged, closed],
  ].map((pullRequests) => selectDisplayPullRequest(pullRequests)?.number);
}

function silentSince(spawnedAtMs: number): ActivityFacts {
  const silence = { firstSignalAtMs: null, lastActivityAtMs: spawnedAtMs, exitCode: null };
  return { state: "idle", isTerminated: false, isSignalCapable: true, spawnedAtMs, ...silence };
}

function pullRequest(pr: z.infer<typeof pullRequestSchema>): PullRequestFacts {
  return {
    number: 1,
    url: "https://github.com/octo/widgets/pull/1",
    state: pr.merged === true ? "merged" : pr.closed === true ? "closed" : "open",
    isDraft: pr.draft ?? false,
    checks: pr.ci ?? "none",
    review: pr.review ?? "none",
    hasUnresolvedHumanComments: pr.review_comments ?? false,
    mergeability: pr.mergeability ?? "unknown",
    headSha: null,
    checksSignature: null,
    feedbackSignature: null,
    updatedAtMs: NOW_MS,
  };
}
