import type { Issue, RepositoryName } from "../../github/index.ts";
import {
  assessIfThere,
  type BatchContext,
  type BatchPorts,
  type Candidate,
  isCandidate,
  isInShard,
  namedIssues,
  type Selection,
  withinLimits,
} from "../../triage/index.ts";
import { type PlannedIssue, planIssue } from "../plan/index.ts";
import { matchesQuery } from "../query/index.ts";
import type { SweepSettings } from "../settings.ts";
import type { SweptLibrary } from "../swept/index.ts";
import { assessSwept, assessUnread } from "./assess-swept.ts";
import { claimsOf } from "./claims-of.ts";
import type { Sweep } from "./sweep.ts";

/** A candidate with its road. Before the comments are read, the road depends only on the listing and the home. */
interface Prospect {
  candidate: Candidate;
  planned: PlannedIssue;
  /** Whether an earlier sweep has examined the issue. */
  isSwept: boolean;
}

/**
 * Returns every open issue that matches the query and has an action due, within the limits of the batch and in the order of
 * `inOrder` (T1, W1, W5), and the skipped issues.
 */
export async function selectSwept(
  context: BatchContext,
  sweep: Sweep,
): Promise<Selection & { planned: PlannedIssue[] }> {
  const { unread, skipped } = await prospects(context, sweep);
  const found: Prospect[] = [];
  const { maxIssues } = context.settings;
  const isEnough = (): boolean => {
    if (maxIssues === null || found.length < maxIssues) return false;
    const candidates = found.map(({ candidate }) => candidate);
    return withinLimits({ candidates, skipped: [] }, context).candidates.length === maxIssues;
  };
  // Reading the comments of a whole backlog would cost one request for each issue, however few of them are selected (P13).
  for (const { issue } of unread) {
    const { ref } = issue;
    context.stop.throwIfAborted();
    if (isEnough()) {
      skipped.push({ ref, reason: "max-issues" });
      continue;
    }
    const assessed = await assessIfThere(issue, (one) => assessSwept(one, context, context.stop, sweep));
    if ("goneAs" in assessed) skipped.push({ ref, reason: assessed.goneAs });
    else if (isCandidate(assessed)) found.push(await planned(assessed, context, sweep));
    else if (assessed.eligibility.type === "skipped")
      skipped.push({ ref, reason: assessed.eligibility.reason });
  }
  const ordered = inOrder(found);
  const limited = withinLimits({ candidates: ordered.map(({ candidate }) => candidate), skipped }, context);
  const kept = new Set(limited.candidates);
  const plan = ordered.filter(({ candidate }) => kept.has(candidate)).map((one) => one.planned);
  return { ...limited, planned: plan };
}

/** Returns the issues that may be due, in the order in which their comments are read. */
async function prospects(
  context: BatchContext,
  sweep: Sweep,
): Promise<{ unread: Candidate[]; skipped: Selection["skipped"] }> {
  const skipped: Selection["skipped"] = [];
  const found: Prospect[] = [];
  for (const repo of context.settings.repos) {
    const { issues, skipped: unlisted } = await listed(repo, context, sweep);
    skipped.push(...unlisted);
    for (const issue of issues) {
      context.stop.throwIfAborted();
      const { ref } = issue;
      if (!matchesQuery(issue, sweep.settings.query)) {
        skipped.push({ ref, reason: "not-selected" });
        continue;
      }
      const unread = await assessUnread(issue, context, sweep);
      if (isCandidate(unread)) found.push(await planned(unread, context, sweep));
      else if (unread.eligibility.type === "skipped")
        skipped.push({ ref, reason: unread.eligibility.reason });
    }
  }
  return { unread: inOrder(found).map(({ candidate }) => candidate), skipped };
}

async function planned(
  candidate: Candidate,
  { ports }: { ports: Pick<BatchPorts, "reproductions"> },
  { library, settings }: Sweep,
): Promise<Prospect> {
  const before = await library.read(candidate.issue.ref);
  const [claim] = await claimsOf(candidate, before, ports);
  const isSwept = before !== null;
  return { candidate, planned: planIssue(candidate, claim?.origin ?? null, settings), isSwept };
}

/**
 * Returns the comments and closes that are due first. After them, issues that were never examined and issues that are due again
 * take turns, each group by cost, so that a limited sweep reaches the rest of the backlog even if many open bugs are rechecked or
 * many people reply.
 */
function inOrder(found: readonly Prospect[]): Prospect[] {
  const sorted = found.toSorted(byCost);
  const isFollowUp = ({ planned: { road } }: Prospect): boolean => road === "comment" || road === "close";
  const fresh = sorted.filter((one) => !isFollowUp(one) && !one.isSwept);
  const again = sorted.filter((one) => !isFollowUp(one) && one.isSwept);
  const turns = Array.from({ length: Math.max(fresh.length, again.length) }, (_, turn) => [
    ...fresh.slice(turn, turn + 1),
    ...again.slice(turn, turn + 1),
  ]);
  return [...sorted.filter(isFollowUp), ...turns.flat()];
}

/** Returns the order of two prospects: by cost, then by age, then by number. */
function byCost(a: Prospect, b: Prospect): number {
  const [one, other] = [a.candidate.issue, b.candidate.issue];
  return (
    a.planned.rank - b.planned.rank ||
    Date.parse(one.createdAt) - Date.parse(other.createdAt) ||
    one.ref.number - other.ref.number
  );
}

async function listed(
  repo: RepositoryName,
  context: Parameters<typeof namedIssues>[1],
  { library }: Sweep,
): Promise<{ issues: Issue[]; skipped: Selection["skipped"] }> {
  const { settings, ports, stop } = context;
  if (settings.onlyIssues.length > 0) return namedIssues(repo, context);
  const all = await ports.reader.listOpenIssues(repo, null, stop);
  if (!settings.dryRun) await noteOpen(repo, all, settings.shard, library);
  const issues = all.filter(({ isPullRequest, ref }) => !isPullRequest && isInShard(ref, settings.shard));
  return { issues, skipped: [] };
}

/**
 * Records which swept issues are open. A sweep is not told when an issue is closed, moved or deleted; the issue is then missing
 * from the list of open issues.
 */
async function noteOpen(
  repo: RepositoryName,
  listed: readonly Issue[],
  shard: SweepSettings["shard"],
  library: SweptLibrary,
): Promise<void> {
  const open = new Set(listed.map(({ ref }) => ref.number));
  for (const swept of await library.all(repo)) {
    const isOpen = open.has(swept.number);
    const isOurs = isInShard({ repo, number: swept.number }, shard);
    if (isOurs && swept.isOpen !== isOpen) await library.save({ ...swept, isOpen });
  }
}
