import { OperationalError } from "agent-tty/kit";
import { z } from "zod";
import { closesIssue } from "../closing-references.ts";
import {
  endedPullRequest,
  type LinkedPullRequest,
  type LinkedPullRequests,
  MAX_ENDED_PULL_REQUESTS,
  MAX_OPEN_PULL_REQUESTS,
} from "../linked-pull-requests.ts";
import { type IssueRef, issueKey } from "../port.ts";
import { type CheckResult, judgePullRequest, type Review } from "../pull-request-verdicts.ts";
import { getRequest, readOne, readPages } from "./listing.ts";
import {
  checkRunsSchema,
  combinedStatusSchema,
  isOfRepository,
  pullRequestSchema,
  reviewSchema,
  type TimelineEvent,
  timelineEventSchema,
  toCheckResult,
  toPage,
  toReview,
  toStatusResult,
} from "./pull-request-schemas.ts";
import { ISSUE, issueOf, nameOf } from "./routes.ts";
import { goneReason, type Wire, type WireAnswer } from "./wire.ts";
import { isEndless, statusOf } from "./wire-errors.ts";

/** Page limits: 2,000 events of an issue, 500 reviews, and 300 checks of a commit. */
const MAX_TIMELINE_PAGES = 20;
const MAX_REVIEW_PAGES = 5;
const MAX_CHECK_PAGES = 3;

type SourceIssue = NonNullable<NonNullable<TimelineEvent["source"]>["issue"]>;

/**
 * Returns the reader of linked pull requests. It sends one request for the issue's timeline, and four for every open pull request
 * found in it.
 */
export function createPullRequestReader(
  wire: Wire,
): (ref: IssueRef, signal: AbortSignal) => Promise<LinkedPullRequests> {
  return async (ref, signal) => {
    const events = await readTimeline(wire, ref, signal);
    if ("type" in events) return events;
    const { open, ended } = linkedSources(ref, events);
    const pullRequests = ended.map((source) => toEnded(source));
    const unread = open.slice(MAX_OPEN_PULL_REQUESTS).map(({ number }) => number);
    for (const { number } of open.slice(0, MAX_OPEN_PULL_REQUESTS)) {
      const found = await orUnread(readPullRequest(wire, { repo: ref.repo, number }, signal));
      if (found === null) unread.push(number);
      else pullRequests.push(found);
    }
    return { type: "found", pullRequests, unread };
  };
}

type Unknown = Extract<LinkedPullRequests, { type: "unknown" }>;

async function readTimeline(
  wire: Wire,
  ref: IssueRef,
  signal: AbortSignal,
): Promise<TimelineEvent[] | Unknown> {
  const request = getRequest(
    `read the timeline of ${issueKey(ref)}`,
    `${ISSUE}/timeline`,
    issueOf(ref),
    signal,
  );
  const items = (answer: WireAnswer): TimelineEvent[] =>
    wire.parse(request, answer, z.array(timelineEventSchema));
  try {
    return await readPages(wire, request, items, asUnknown, MAX_TIMELINE_PAGES);
  } catch (error) {
    if (error instanceof UnknownIssue) return { type: "unknown", reason: error.reason };
    if (isEndless(error)) return { type: "unknown", reason: "too-long" };
    if (isForbidden(error)) return { type: "unknown", reason: "forbidden" };
    throw error;
  }
}

class UnknownIssue extends Error {
  readonly reason: Unknown["reason"];
  constructor(reason: Unknown["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

function asUnknown(status: number, error: unknown): never {
  const reason = goneReason(status);
  throw reason === null ? error : new UnknownIssue(reason);
}

/** Returns each linked pull request once, from the latest event that mentions it; the most recently updated ones come first. */
function linkedSources(
  ref: IssueRef,
  events: readonly TimelineEvent[],
): Record<"open" | "ended", SourceIssue[]> {
  const linked = new Map<number, SourceIssue>();
  for (const { event, source } of events) {
    const issue = event === "cross-referenced" ? source?.issue : null;
    if (issue?.pull_request && isOfRepository(issue, ref.repo)) linked.set(issue.number, issue);
  }
  const latestFirst = [...linked.values()]
    .filter(({ body }) => closesIssue(body ?? "", ref))
    .toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at));
  return {
    // If an older server does not report whether a closed pull request was merged, it is read like an open one.
    open: latestFirst.filter((issue) => !isKnownToBeOver(issue)),
    ended: latestFirst.filter(isKnownToBeOver).slice(0, MAX_ENDED_PULL_REQUESTS),
  };
}

function isKnownToBeOver({ state, pull_request: pullRequest }: SourceIssue): boolean {
  return state === "closed" && pullRequest?.merged_at !== undefined;
}

function toEnded(source: SourceIssue): LinkedPullRequest {
  return endedPullRequest({
    number: source.number,
    url: source.html_url,
    updatedAt: source.updated_at,
    mergedAt: source.pull_request?.merged_at ?? null,
    closedAt: source.closed_at ?? null,
  });
}

async function readPullRequest(wire: Wire, ref: IssueRef, signal: AbortSignal): Promise<LinkedPullRequest> {
  const key = issueKey(ref);
  const of = { ...nameOf(ref.repo), pull_number: ref.number };
  const at = "/repos/{owner}/{repo}/pulls/{pull_number}";
  const page = await readOne(
    wire,
    getRequest(`read the pull request ${key}`, at, of, signal),
    pullRequestSchema,
  );
  const { number, html_url: url, updated_at: updatedAt } = page;
  if (page.state === "closed") {
    const mergedAt = page.merged_at ?? null;
    return endedPullRequest({ number, url, updatedAt, mergedAt, closedAt: page.closed_at ?? null });
  }
  const request = getRequest(`read the reviews of ${key}`, `${at}/reviews`, of, signal);
  const toReviews = (answer: WireAnswer): Review[] =>
    wire.parse(request, answer, z.array(reviewSchema)).flatMap(toReview);
  const reviews = await readPages(wire, request, toReviews, asUnknown, MAX_REVIEW_PAGES);
  const headSha = page.head.sha;
  const results = await readChecks(wire, ref, headSha, signal);
  return {
    number,
    url,
    state: "open",
    endedAt: null,
    updatedAt,
    isDraft: page.draft ?? false,
    headSha,
    ...judgePullRequest(toPage(page), reviews, results),
  };
}

async function readChecks(
  wire: Wire,
  ref: IssueRef,
  headSha: string,
  signal: AbortSignal,
): Promise<CheckResult[]> {
  const of = { ...nameOf(ref.repo), ref: headSha };
  const at = "/repos/{owner}/{repo}/commits/{ref}";
  const request = getRequest(`read the checks of ${issueKey(ref)}`, `${at}/check-runs`, of, signal);
  const toResults = (answer: WireAnswer): CheckResult[] =>
    wire.parse(request, answer, checkRunsSchema).check_runs.map(toCheckResult);
  const runs = await readPages(wire, request, toResults, asUnknown, MAX_CHECK_PAGES);
  const statuses = getRequest(`read the statuses of ${issueKey(ref)}`, `${at}/status`, of, signal);
  return [...runs, ...toStatusResult(await readOne(wire, statuses, combinedStatusSchema))];
}

/**
 * Returns the pull request; null if it is gone, may not be read, or has too many pages, so that the other pull requests are still
 * returned.
 */
async function orUnread(reading: Promise<LinkedPullRequest>): Promise<LinkedPullRequest | null> {
  try {
    return await reading;
  } catch (error) {
    const isGone = error instanceof UnknownIssue || goneReason(statusOf(error) ?? 0) !== null;
    if (isGone || isForbidden(error) || isEndless(error)) return null;
    throw error;
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof OperationalError && error.code === "GITHUB_FORBIDDEN";
}
