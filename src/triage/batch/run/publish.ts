import { relative } from "node:path";
import { messageOf, OperationalError, startDeadline } from "agent-tty/kit";
import {
  type GithubErrorCode,
  type Issue,
  type IssueComment,
  issueKey,
  SWEPT,
} from "../../../github/index.ts";
import type { WorkspaceIdentity } from "../../../workspaces/index.ts";
import { type AuditFact, bodyHashOf } from "../../audit/index.ts";
import type { KeptFile } from "../../comment/index.ts";
import {
  applyPublication,
  isProposal,
  planPublication,
  planRepair,
  planRest,
  type PublicationPlan,
  type PublicationPorts,
} from "../../publication/index.ts";
import type { PublicationTarget } from "../../policy/index.ts";
import { snapshotHash } from "../../snapshot-hash.ts";
import type { BatchContext, MarkerSettings } from "../batch-context.ts";
import type { BatchSettings } from "../settings.ts";
import type { Publishable } from "../publishable.ts";
import type { RunRecord } from "../run-record.ts";
import { type CommentSearch, createCommentSearch, outageDelayMs } from "./comment-search.ts";
import type { AssessedIssue, Candidate } from "../candidate.ts";
import { askedWaitMs, isOutage } from "../failures.ts";
import { type DecidedOutcome, recordDecided, suggestNatively } from "../trust/index.ts";
import { isOverruled, type Look, look } from "./look.ts";
import type { TriageErrorCode } from "../triage-error.ts";

/**
 * Publishing must not stop between its steps, so it has a deadline of its own, and a stop of the batch lets it finish. While
 * GitHub is unreachable, it waits as long as the run deadline allows, but at most this long.
 */
const PUBLICATION_DEADLINE_MS = 10 * 60_000;
export const SHORTEST_PUBLICATION_MS = 3 * 60_000;

/**
 * How long the last look at the issue and the lock is valid, by the wall clock. A stopped process or a sleeping machine does not
 * notice the time that passes; during that time the lease may have run out, and somebody else may have published.
 */
const LOOK_HOLDS_MS = 60_000;

/** The wait before reading again what was written, if the first read does not show it. */
const READ_AGAIN_MS = 2_000;

/** The facts that all steps of one publication share. */
interface Publication {
  fresh: AssessedIssue;
  concluded: Publishable;
  workspace: WorkspaceIdentity | null;
  record: RunRecord;
  context: BatchContext;
  signal: AbortSignal;
  /** The search for the comment of a POST without an answer, before the POST is repeated. */
  search: CommentSearch;
}

/**
 * Policy 8: checks issue and lock again, then comments, labels, closes and reads back. If GitHub is unreachable in between, or
 * asks for a wait before the comment, all of it begins again: the comment is searched for by its marker, for up to a minute,
 * before it is written again (T7). `remainingMs` returns what is left of the run deadline. The lock is `workspace`. A
 * vulnerability report that was recognised by its own text has none (S16); its comment is the same whichever parent publishes it.
 */
export async function publish(
  fresh: AssessedIssue,
  concluded: Publishable,
  workspace: WorkspaceIdentity | null,
  record: RunRecord,
  context: BatchContext,
  remainingMs: () => number,
): Promise<void> {
  context.stop.throwIfAborted();
  record.phase("applying");
  const { clock, observe } = context.ports;
  const patienceMs = Math.min(PUBLICATION_DEADLINE_MS, Math.max(SHORTEST_PUBLICATION_MS, remainingMs()));
  using deadline = startDeadline(clock, `publishing the outcome of ${issueKey(fresh.issue.ref)}`, patienceMs);
  const { signal } = deadline;
  const search = createCommentSearch();
  const publication = { fresh, concluded, workspace, record, context, signal, search };
  for (let [failures, limits] = [0, 0]; ;) {
    const failure = await publishOnce(publication).catch((error: unknown) => error);
    if (failure === "over") return;
    const askedMs = askedWaitMs(failure);
    const limitMs = askedMs === null ? null : askedMs * 2 ** limits;
    if (failure !== "unseen") {
      const isWaitedFor = limitMs === null ? isOutage(failure) : limitMs <= patienceMs;
      if (!isWaitedFor || signal.aborted) throw failure;
      if (limitMs === null) failures += 1;
      else limits += 1;
      observe({ type: "warning", message: `a publication is tried again: ${messageOf(failure)}` });
    }
    const waitMs = limitMs ?? search.nextWaitMs() ?? outageDelayMs(failures);
    // A stop lets a publication finish, but does not wait while GitHub is unreachable: the next batch continues.
    const patience = AbortSignal.any([signal, context.stop]);
    const isOver = await clock.sleep(waitMs, patience).then(
      () => false,
      () => true,
    );
    if (isOver) throw failure === "unseen" ? unansweredComment(fresh) : failure;
  }
}

function unansweredComment({ issue }: AssessedIssue): OperationalError<GithubErrorCode> {
  return new OperationalError<GithubErrorCode>({
    code: "GITHUB_UNREACHABLE",
    message: `comment on ${issueKey(issue.ref)}: GitHub did not answer, and the comment is not visible yet`,
    remedy: "The next batch looks for the comment and continues from there, without a second Triage Agent.",
  });
}

/** Returns `unseen` if a comment that may have been written is not visible yet and it is too early to write it again. */
async function publishOnce(publication: Publication): Promise<"over" | "unseen"> {
  const { fresh, concluded, record, context, signal } = publication;
  const { target: wanted, policy } = concluded;
  const { clock, canaries } = context.ports;
  const { ref } = fresh.issue;
  const restrained = context.trust.restrain(ref.repo, wanted, concluded.render !== null);
  const lookedAtMs = clock.nowMs();
  using holds = startDeadline(clock, `the first write after a look at ${issueKey(ref)}`, LOOK_HOLDS_MS);
  const seen = await look(publication);
  if (seen.type === "stale") {
    record.settle("requeued", seen.reason);
    return "over";
  }
  record.note({ category: wanted.category, outcome: wanted.state, policy: [...policy] });
  const level = context.trust.levelOf(ref.repo, wanted) ?? "apply";
  const snapshot = snapshotHash(fresh.issue, fresh.comments, context.viewer.id);
  const decided = { ref, runId: context.runId, target: wanted, level, snapshotHash: snapshot };
  if (restrained.type === "withhold") {
    recordDecided({ ...decided, commentId: null }, record, context);
    record.settle("skipped", `autonomy-${level}`);
    return "over";
  }
  const { target, proposed } = restrained;
  if (seen.type === "ours") {
    await finish(seen, decided, target, publication);
    return "over";
  }
  if (!publication.search.isOver()) return "unseen";
  const { issue } = fresh;
  const body = rendered(concluded, proposed, fresh, record, context);
  const hit = body === null ? null : canaries.find(body);
  if (hit !== null) record.leaked(hit, "its comment");
  record.throwIfLeaked();
  const plan = planPublication({
    ref: issue.ref,
    labelsNow: issue.labels,
    state: issue.state,
    decision: target,
    comment: body === null ? { type: "none" } : { type: "to-publish", body },
    labelNames: context.settings.labels,
  });
  const mayBegin = (): boolean => clock.nowMs() - lookedAtMs <= LOOK_HOLDS_MS;
  const asSeen = { mayBegin, lookHolds: holds.signal };
  const begin = { labels: issue.labels, ...asSeen, search: publication.search, before: null, decided };
  await apply(plan, begin, record, context, signal).catch((error: unknown) => {
    if (askedWaitMs(error) !== null) publication.search.end();
    throw error;
  });
  return "over";
}

/**
 * Continues after a comment that took effect although its answer was lost; the remaining steps are those after a parent that was
 * killed at that point.
 */
async function finish(
  seen: Extract<Look, { type: "ours" }>,
  wanted: Decided,
  target: PublicationTarget,
  { record, context, signal }: Publication,
): Promise<void> {
  const { issue } = seen;
  const { comment } = seen.notes;
  const write = {
    type: "publish-comment",
    commentId: comment.id,
    bodyHash: bodyHashOf(comment.body),
  } as const;
  await context.audit.append("publish", issue.ref, { type: "done", write });
  record.note({ commentUrl: comment.url });
  await keepComment(comment.body, record, context);
  const plan = planRest(target, comment, issue, context.settings.labels);
  // What people did since the comment is about this outcome.
  const decided = { ...wanted, atMs: Date.parse(comment.createdAt) };
  if (plan.steps.length > 0 && (await isOverruled(seen, target, context, signal))) {
    recordDecided({ ...decided, commentId: comment.id }, record, context);
    return record.settle("requeued", "issue-changed");
  }
  await apply(plan, { labels: issue.labels, before: comment, decided }, record, context, signal);
}

/**
 * Keeps the published comment for people who look at the run later. It is already public, so a failure here only causes a
 * warning.
 */
async function keepComment(
  body: string,
  record: RunRecord,
  { ports }: Pick<BatchContext, "ports">,
): Promise<void> {
  try {
    await record.keep("comment.md", body);
  } catch (error) {
    ports.observe({ type: "warning", message: `the published comment was not kept: ${messageOf(error)}` });
  }
}

/**
 * Finishes a publication that was cut off after its comment from the marker, without a Triage Agent and without a second comment.
 */
export async function repair(candidate: Candidate, record: RunRecord, context: BatchContext): Promise<void> {
  const { eligibility, issue } = candidate;
  if (eligibility.type !== "repair") throw new Error("only a publication that was cut off can be repaired");
  context.stop.throwIfAborted();
  record.phase("applying", "repairing a publication that was cut off");
  using deadline = startDeadline(
    context.ports.clock,
    `repairing the publication on ${issueKey(issue.ref)}`,
    PUBLICATION_DEADLINE_MS,
  );
  const plan = planRepair(eligibility.notes, issue, context.settings.labels);
  const isAccepted = isProposal(eligibility.notes);
  record.note({
    reason: isAccepted ? "proposal-accepted" : "repair",
    category: plan.target.category,
    outcome: plan.target.state,
    policy: [isAccepted ? "proposal-accepted" : "repaired"],
    commentUrl: eligibility.notes.comment.url,
  });
  const decided: Decided = {
    ref: issue.ref,
    runId: eligibility.notes.marker.run,
    target: plan.target,
    level: "apply",
    snapshotHash: snapshotHash(issue, candidate.comments, context.viewer.id),
  };
  const begin = { labels: issue.labels, before: eligibility.notes.comment, decided };
  await apply(plan, begin, record, context, deadline.signal);
}

/** The facts of a batch that its comments show, and the key that signs their markers. */
interface CommentDeps {
  runId: string;
  settings: Pick<BatchSettings, "labels" | "evidenceLocation">;
  ports: { markers: MarkerSettings; runsDirectory: string };
}

/** Returns the comment's Markdown; null: no comment is to be written. */
function rendered(
  { render, target }: Publishable,
  proposed: PublicationTarget | null,
  fresh: AssessedIssue,
  record: RunRecord,
  context: CommentDeps,
): string | null {
  const { issue } = fresh;
  const [key] = context.ports.markers.keys;
  if (render === null) return null;
  const { labels } = context.settings;
  const roles = [target.category, target.state].filter((role) => role !== null);
  return render(
    {
      issue,
      runId: context.runId,
      markerKey: key ?? null,
      recording: recordingOf(record, context),
      denied: record.deniedRequests,
    },
    proposed === null ? null : { target: proposed, labels: roles.map((role) => labels[role]) },
  );
}

/** V8: returns the recording of the parent's own runs, or else that of the Triage Agent's Session. */
function recordingOf(record: RunRecord, { ports, settings }: CommentDeps): KeptFile | null {
  const file = record.artifacts.verification ?? record.artifacts.recording;
  if (file === null) return null;
  const path = relative(ports.runsDirectory, file).replaceAll("\\", "/");
  return { path, location: settings.evidenceLocation };
}

/** The decided outcome without the id of its comment. */
type Decided = Omit<DecidedOutcome, "commentId">;

interface Beginning extends Pick<Issue, "labels">, Pick<PublicationPorts, "mayBegin" | "lookHolds"> {
  search?: CommentSearch;
  /** Our comment, if it was there before. */
  before: IssueComment | null;
  decided: Decided;
}

async function apply(
  plan: PublicationPlan,
  { labels, search, before, decided, ...begin }: Beginning,
  record: RunRecord,
  context: BatchContext,
  signal: AbortSignal,
): Promise<void> {
  const audited = (fact: AuditFact): Promise<void> => {
    if (fact.type === "intended" && fact.write.type === "publish-comment") search?.begin();
    if (fact.type === "done" && fact.write.type === "publish-comment") search?.end();
    return context.audit.append("publish", plan.ref, fact);
  };
  const { target } = plan;
  const { confidence } = record;
  await audited({
    type: "decided",
    outcome: target.state ?? SWEPT,
    category: target.category,
    policy: record.policy,
    labels,
  });
  const pause = (within: AbortSignal): Promise<void> => context.ports.clock.sleep(READ_AGAIN_MS, within);
  const ports = { ...context.ports, ...begin, record: audited, pause };
  const result = await applyPublication(plan, ports, signal, async (step) => {
    record.phase("applying", step.type);
    if (step.type === "publish-comment") await keepComment(step.body, record, context);
  });
  if (result.comment !== null) record.note({ commentUrl: result.comment.url });
  switch (result.type) {
    case "applied":
      recordDecided({ ...decided, commentId: (result.comment ?? before)?.id ?? null }, record, context);
      await context.work.published({ comment: result.comment ?? before, issue: result.issue });
      if (decided.level === "suggest") await suggestNatively({ ...decided, confidence }, context, signal);
      record.settle("applied", record.reason);
      return;
    case "gone":
      record.settle("requeued", `issue-${result.reason}`);
      return;
    case "outdated":
      record.settle("requeued", "look-outdated");
      return;
    case "mismatch":
      throw new OperationalError<TriageErrorCode>({
        code: "PUBLICATION_MISMATCH",
        message: `read back ${issueKey(plan.ref)} after applying: expected ${JSON.stringify(result.expected)}, saw ${JSON.stringify(result.seen)}`,
        remedy:
          "Somebody changed the labels at the same time, or the token may not set labels. Check the issue by hand.",
      });
  }
}
