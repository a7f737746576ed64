import {
  type FoundTriageNotes,
  type Issue,
  type IssueComment,
  type IssueRef,
  type Person,
  type RepositoryName,
  type TriageNotes,
  findTriageNotes,
  issueKey,
  newestNotes,
} from "../../github/index.ts";
import {
  decideEligibility,
  type Eligibility,
  type EligibilityFacts,
  hasActivitySince,
  mayRetry,
  needsLabelEvents,
  selectCandidates,
} from "../eligibility/index.ts";
import type { AutonomyLevel } from "../../trust/index.ts";
import { publicationTarget } from "../publication/index.ts";
import { askedQuestions } from "../resumption/index.ts";
import type { BatchPorts, MarkerSettings } from "./batch-context.ts";
import type { BatchTrust } from "./batch-trust.ts";
import type { BatchSettings } from "./settings.ts";
import { type AssessedIssue, type Candidate, isCandidate } from "./candidate.ts";
import { usableCheckpoint } from "./usable-checkpoint.ts";
import { goneReasonOf, isIssueGone } from "./failures.ts";
import { unpublishedRuns } from "./recovery/index.ts";
import { snapshotHash } from "../snapshot-hash.ts";
import { type ReadProposal, readProposal, unverifiedProposal } from "./trust/index.ts";

/** `proposal`: the notes of a proposal that waits for an answer. */
export interface Selection {
  candidates: Candidate[];
  skipped: { ref: IssueRef; reason: string; proposal?: TriageNotes }[];
}

/**
 * The facts that decide whether an issue is triaged now: settings, GitHub's and this home's facts about it, and our own identity.
 */
interface SelectionDeps {
  settings: BatchSettings;
  viewer: Person;
  trust: BatchTrust;
  ports: Pick<
    BatchPorts,
    "reader" | "suggestions" | "store" | "checkpoints" | "markers" | "clock" | "observe"
  >;
  stop: AbortSignal;
}

/**
 * Returns the selected issues and the skipped ones (T1). Every issue that it reads is in one of the two lists, with its reason.
 */
export async function selectIssues(context: SelectionDeps): Promise<Selection> {
  const selection: Selection = { candidates: [], skipped: [] };
  for (const repo of context.settings.repos) {
    const { issues, skipped } = await listIssues(repo, context);
    selection.skipped.push(...skipped);
    for (const issue of issues) {
      context.stop.throwIfAborted();
      const assessed = await assessIfThere(issue, (one) => assess(one, context, context.stop));
      if ("goneAs" in assessed) selection.skipped.push({ ref: issue.ref, reason: assessed.goneAs });
      else if (isCandidate(assessed)) selection.candidates.push(assessed);
      else if (assessed.eligibility.type === "skipped") {
        const { reason } = assessed.eligibility;
        const standing = reason === "proposal-waits" ? assessed.notes : null;
        const proposal = standing === null ? {} : { proposal: standing };
        selection.skipped.push({ ref: issue.ref, reason, ...proposal });
      }
    }
  }
  return withinLimits(selection, context);
}

/**
 * Returns the selection within its limits: issues beyond the maximum number of runs for one author (S14), and those beyond
 * `maxIssues`, are skipped.
 */
export function withinLimits(
  selection: Selection,
  { settings }: { settings: Pick<BatchSettings, "budget" | "maxIssues"> },
): Selection {
  const { budget, maxIssues } = settings;
  return limit(limitAuthors(selection, budget.runsPerAuthor), maxIssues);
}

/** Assesses an issue that may have vanished after it was listed, because the loss of one issue must not end the batch. */
export async function assessIfThere(
  issue: Issue,
  assessOne: (issue: Issue) => Promise<AssessedIssue>,
): Promise<AssessedIssue | { goneAs: string }> {
  try {
    return await assessOne(issue);
  } catch (error) {
    if (isIssueGone(error)) return { goneAs: goneReasonOf(error) };
    throw error;
  }
}

/**
 * Decides the issue's eligibility. Reads only what its state requires: comments if there are any, label events if they matter,
 * and neither of them again when GitHub says that nothing has changed since `before` (P13). This can miss an edited comment;
 * publishing looks again.
 */
export async function assess(
  issue: Issue,
  context: SelectionDeps,
  signal: AbortSignal,
  before: AssessedIssue | null = null,
): Promise<AssessedIssue> {
  const { settings, ports, viewer } = context;
  const known = before !== null && isUnchanged(before.issue, issue) ? before : null;
  const isReadable = !issue.isPullRequest && issue.commentCount > 0;
  const comments = known?.comments ?? (isReadable ? await ports.reader.comments(issue.ref, signal) : []);
  const found = findTriageNotes({ comments, ref: issue.ref, trust: markerTrust(context) });
  const { notes, history } = found;
  const ours = newestNotes(found);
  for (const message of markerWarnings(found)) {
    ports.observe({ type: "warning", message: `${issueKey(issue.ref)}: ${message}` });
  }
  const proposal =
    ours === notes
      ? await readProposal(notes, { issue, comments }, context, signal)
      : unverifiedProposal(ours, comments);
  const facts = {
    issue,
    comments: proposal?.comments ?? comments,
    notes: proposal?.notes ?? ours,
    areNotesTrusted: ours === notes,
    viewerId: viewer.id,
    settings: {
      labels: settings.labels,
      activity: settings.needsInfoActivity,
      cooldownMs: settings.cooldownMs,
      includeNeedsInfo: settings.includeNeedsInfo,
    },
    nowMs: ports.clock.nowMs(),
  };
  const labelEvents =
    known?.labelEvents ??
    (needsLabelEvents(facts) ? await ports.reader.labelEvents(issue.ref, signal) : null);
  const decided = orHeldBack(decideEligibility({ ...facts, labelEvents }), proposal, facts, context);
  const asked = askedQuestions({
    issue,
    comments,
    history,
    viewerId: viewer.id,
    activity: settings.needsInfoActivity,
  });
  const assessed = { issue, comments, notes, history, labelEvents, asked, eligibility: decided };
  const isDue =
    decided.type !== "eligible" ||
    isRetryDue(issue, comments, context) ||
    // Continuing from a result that was paid for costs nothing.
    (await usableCheckpoint(assessed, context)) !== null;
  return isDue ? assessed : { ...assessed, eligibility: { type: "skipped", reason: "failed-recently" } };
}

const WAITING: ReadonlySet<string> = new Set(["cooldown", "needs-info-without-new-activity"]);

const WAITING_PROPOSAL = {
  none: "proposal-waits",
  rejected: "proposal-rejected",
  unverified: "proposal-unverified",
} as const;

/**
 * Returns the verdict after the limits of autonomy (E4). An issue whose proposal waits for an answer or was rejected, or whose
 * outcome was withheld, is skipped until somebody writes something new. A repair, for example that of an accepted proposal, is
 * skipped as long as the level withholds its outcome.
 */
function orHeldBack(
  decided: Eligibility,
  proposal: ReadProposal | null,
  { issue, comments, viewerId }: Omit<EligibilityFacts, "labelEvents">,
  { trust, settings }: Pick<SelectionDeps, "trust" | "settings">,
): Eligibility {
  if (decided.type === "repair") {
    const target = publicationTarget(decided.notes);
    const isWithheld = trust.restrain(issue.ref.repo, target, true).type === "withhold";
    return isWithheld ? withheldAt(trust.levelOf(issue.ref.repo, target)) : decided;
  }
  const isWaiting = decided.type === "skipped" && WAITING.has(decided.reason);
  if (!isWaiting && decided.type !== "eligible") return decided;
  if (settings.onlyIssues.includes(issue.ref.number)) return decided;
  if (proposal !== null && proposal.answer !== "accepted") {
    const isNew = hasActivitySince(proposal.notes, { issue, comments, viewerId }, "anyone");
    return isNew ? decided : { type: "skipped", reason: WAITING_PROPOSAL[proposal.answer] };
  }
  if (isWaiting) return decided;
  const withheld = trust.withheld(issue.ref, snapshotHash(issue, comments, viewerId));
  if (withheld === null) return decided;
  return withheldAt(withheld.detail.level);
}

function withheldAt(level: AutonomyLevel | null): Eligibility {
  return { type: "skipped", reason: level === "off" ? "autonomy-off" : "autonomy-shadow" };
}

function isUnchanged(before: Issue, now: Issue): boolean {
  const facts = ({ updatedAt, commentCount, labels, state, locked }: Issue): string =>
    JSON.stringify([updatedAt, commentCount, labels.toSorted(), state, locked]);
  return facts(before) === facts(now);
}

interface RetryDeps {
  settings: Pick<BatchSettings, "onlyIssues" | "cooldownMs">;
  viewer: Person;
  ports: Pick<BatchPorts, "store" | "observe" | "clock">;
}

/** Returns whether the issue's earlier failures allow another attempt now. An issue that a person names is always due. */
export function isRetryDue(
  issue: Issue,
  comments: readonly IssueComment[],
  { settings, ports, viewer }: RetryDeps,
): boolean {
  if (settings.onlyIssues.includes(issue.ref.number)) return true;
  const { cooldownMs } = settings;
  const times = { cooldownMs, nowMs: ports.clock.nowMs() };
  return mayRetry(unpublishedRuns(issue.ref, ports), { issue, comments, viewerId: viewer.id }, times);
}

/** Returns warnings about the markers that are ignored because they cannot be trusted (S4). */
function markerWarnings({ rejected }: FoundTriageNotes): string[] {
  return rejected.map(({ commentId, reason }) =>
    reason === "edited"
      ? `our comment ${commentId} was edited since: nothing is read from it, and it cannot be accepted`
      : `ignored the marker in comment ${commentId}: ${reason}`,
  );
}

/** Returns the trusted marker authors, and the keys that verify their markers. */
export function markerTrust(context: {
  viewer: Person;
  ports: { markers: MarkerSettings };
}): Parameters<typeof findTriageNotes>[0]["trust"] {
  const { keys, trustedAuthors } = context.ports.markers;
  return { viewerId: context.viewer.id, trustedAuthors, keys };
}

/** `skipped`: named issues that are not there (any more), or are another shard's. */
export interface Listing {
  issues: Issue[];
  skipped: Selection["skipped"];
}

interface ListingDeps {
  settings: BatchSettings;
  ports: Pick<BatchPorts, "reader">;
  stop: AbortSignal;
}

async function listIssues(repo: RepositoryName, context: ListingDeps): Promise<Listing> {
  const { settings, ports, stop } = context;
  if (settings.onlyIssues.length > 0) return namedIssues(repo, context);
  const lists = {
    needsTriage: await ports.reader.listOpenIssues(repo, settings.labels["needs-triage"], stop),
    needsInfo: settings.includeNeedsInfo
      ? await ports.reader.listOpenIssues(repo, settings.labels["needs-info"], stop)
      : [],
    wontfix: await ports.reader.listOpenIssues(repo, settings.labels.wontfix, stop),
  };
  const pullRequests = [...lists.needsTriage, ...lists.needsInfo].filter((issue) => issue.isPullRequest);
  const unique = new Map(pullRequests.map((issue) => [issue.ref.number, issue]));
  const issues = [...selectCandidates(lists, settings.labels), ...unique.values()];
  return { issues: issues.filter(({ ref }) => isInShard(ref, settings.shard)), skipped: [] };
}

/**
 * Returns the issues that `--issue N` names. It reads them one by one, so that the summary says why one of them is not eligible.
 */
export async function namedIssues(repo: RepositoryName, context: ListingDeps): Promise<Listing> {
  const listing: Listing = { issues: [], skipped: [] };
  const { onlyIssues, shard } = context.settings;
  for (const number of new Set(onlyIssues)) {
    const ref = { repo, number };
    if (!isInShard(ref, shard)) {
      listing.skipped.push({ ref, reason: "other-shard" });
      continue;
    }
    const lookup = await context.ports.reader.issue(ref, context.stop);
    if (lookup.type === "found") listing.issues.push(lookup.issue);
    else listing.skipped.push({ ref, reason: `issue-${lookup.reason}` });
  }
  return listing;
}

/**
 * Returns whether the issue belongs to the shard. All parents of a sharded batch compute the same partition of the issues (T14).
 */
export function isInShard(ref: IssueRef, shard: { index: number; count: number } | null): boolean {
  return shard === null || ref.number % shard.count === shard.index - 1;
}

/**
 * Returns the selection with a limited number of runs for one author, so that one author's flood leaves room for everybody else
 * (S14). All deleted accounts count as one author. Repairs do not count.
 */
function limitAuthors(selection: Selection, runsPerAuthor: number | null): Selection {
  if (runsPerAuthor === null) return selection;
  const runs = new Map<number | null, number>();
  const [candidates, skipped]: [Candidate[], Selection["skipped"]] = [[], [...selection.skipped]];
  for (const candidate of selection.candidates) {
    const { issue, eligibility } = candidate;
    const author = issue.author?.id ?? null;
    const before = runs.get(author) ?? 0;
    const isOver = eligibility.type === "eligible" && before >= runsPerAuthor;
    if (isOver) skipped.push({ ref: issue.ref, reason: "author-limit" });
    else candidates.push(candidate);
    if (eligibility.type === "eligible") runs.set(author, before + 1);
  }
  return { candidates, skipped };
}

function limit(selection: Selection, maxIssues: number | null): Selection {
  if (maxIssues === null) return selection;
  const beyond = selection.candidates.slice(maxIssues);
  return {
    candidates: selection.candidates.slice(0, maxIssues),
    skipped: [...selection.skipped, ...beyond.map(({ issue }) => ({ ref: issue.ref, reason: "max-issues" }))],
  };
}
