import { relative } from "node:path";
import { OperationalError, startDeadline } from "agent-tty/kit";
import { type GithubErrorCode, issueKey } from "../../../github/index.ts";
import type { WorkspaceIdentity } from "../../../workspaces/index.ts";
import { bodyHashOf } from "../../audit/index.ts";
import type { KeptFile } from "../../comment/index.ts";
import { planPublication } from "../../publication/index.ts";
import type { PublicationTarget } from "../../policy/index.ts";
import { snapshotHash } from "../../snapshot-hash.ts";
import type { BatchContext, MarkerSettings } from "../batch-context.ts";
import type { BatchSettings } from "../settings.ts";
import type { Publishable } from "../publishable.ts";
import type { RunRecord } from "../run-record.ts";
import type { AssessedIssue } from "../candidate.ts";
import { askedWaitMs, isOutage } from "../failures.ts";
import { recordDecided } from "../trust/index.ts";
import {
  apply,
  type Decided,
  keepComment,
  type Publication,
  untilAnswered,
  writeRest,
} from "./apply-plan.ts";
import { CANONICAL_CLOSED, isCanonicalClosed } from "./canonical.ts";
import { type CommentSearch, createCommentSearch } from "./comment-search.ts";
import { type Look, look, type LookValidity, startLook } from "./look.ts";

/**
 * Publishing must not stop between its steps, so it has a deadline of its own, and a stop of the batch lets it finish. While
 * GitHub is unreachable, it waits as long as the run deadline allows, but at most this long.
 */
export const PUBLICATION_DEADLINE_MS = 10 * 60_000;
export const SHORTEST_PUBLICATION_MS = 3 * 60_000;

interface NewPublication extends Publication {
  fresh: AssessedIssue;
  concluded: Publishable;
  workspace: WorkspaceIdentity | null;
  search: CommentSearch;
  /** Whether a close without a comment was sent and not answered: it may have taken effect. */
  isCloseSent: boolean;
}

/**
 * Checks issue and lock again, then comments, labels, closes and reads back (policy 8). If GitHub is unreachable or asks for a
 * wait, before or after the comment, all steps begin again. The comment is searched for by its marker before it is written again,
 * for up to a minute after a lost answer (T7). `remainingMs` returns what is left of the run deadline. The lock is `workspace`. A
 * vulnerability report that was recognised by its own text has no lock (S16); its comment does not depend on the parent that
 * publishes it.
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
  const { clock } = context.ports;
  const patienceMs = Math.min(PUBLICATION_DEADLINE_MS, Math.max(SHORTEST_PUBLICATION_MS, remainingMs()));
  using deadline = startDeadline(clock, `publishing the outcome of ${issueKey(fresh.issue.ref)}`, patienceMs);
  const { signal } = deadline;
  const search = createCommentSearch();
  const shared = { record, context, signal, search };
  const publication = { fresh, concluded, workspace, ...shared, isCloseSent: false };
  await untilAnswered(() => publishOnce(publication), patienceMs, publication);
}

function unansweredComment({ issue }: AssessedIssue): OperationalError<GithubErrorCode> {
  return new OperationalError<GithubErrorCode>({
    code: "GITHUB_UNREACHABLE",
    message: `comment on ${issueKey(issue.ref)}: GitHub did not answer, and the comment is not visible yet`,
    remedy: "The next batch looks for the comment and continues from there, without a second Triage Agent.",
  });
}

async function publishOnce(publication: NewPublication): Promise<void> {
  const { fresh, concluded, record, context, signal } = publication;
  const { target: wanted, policy } = concluded;
  const { clock, canaries } = context.ports;
  const { ref } = fresh.issue;
  const restrained = context.trust.restrain(ref.repo, wanted, concluded.render !== null);
  using valid = startLook(clock, ref);
  const seen = await look(publication);
  if (seen.type === "stale") return record.settle("requeued", seen.reason);
  const withdrawal = seen.type === "current" ? await concluded.withdrawal?.(seen, signal) : null;
  if (withdrawal != null) return record.settle("applied", withdrawal);
  record.note({ category: wanted.category, outcome: wanted.state, policy: [...policy] });
  const level = context.trust.levelOf(ref.repo, wanted) ?? "apply";
  const snapshot = snapshotHash(fresh.issue, fresh.comments, context.viewer.id);
  const decided = { ref, runId: context.runId, target: wanted, level, snapshotHash: snapshot };
  if (restrained.type === "withhold") {
    recordDecided({ ...decided, commentId: null }, record, context);
    return record.settle("skipped", `autonomy-${level}`);
  }
  const { target, proposed } = restrained;
  if (await isCanonicalClosed(ref, target, context.ports, signal))
    return record.settle("requeued", CANONICAL_CLOSED);
  if (seen.type === "ours") return await finish(seen, decided, target, valid, publication);
  if (!publication.search.isOver()) throw unansweredComment(fresh);
  const { issue } = fresh;
  const body = rendered(concluded, proposed, fresh, record, context);
  const hit = body === null ? null : canaries.find(body);
  if (hit !== null) record.leaked(hit, "its comment");
  record.throwIfLeaked();
  const plan = planPublication({
    ref: issue.ref,
    labelsNow: issue.labels,
    state: seen.issue.state,
    decision: target,
    comment: body === null ? { type: "none" } : { type: "to-publish", body },
    labelNames: context.settings.labels,
  });
  const begin = { labels: issue.labels, valid, search: publication.search, before: null, decided };
  await apply(plan, begin, record, context, signal).catch((error: unknown) => {
    if (askedWaitMs(error) !== null) publication.search.end();
    if (body === null && target.close !== null && isOutage(error)) publication.isCloseSent = true;
    throw error;
  });
}

/**
 * Continues after a comment that took effect although its answer was lost; the remaining steps are those after a parent that was
 * killed at that point.
 */
async function finish(
  seen: Extract<Look, { type: "ours" }>,
  wanted: Decided,
  target: PublicationTarget,
  valid: LookValidity,
  publication: Publication,
): Promise<void> {
  const { record, context } = publication;
  const { comment } = seen.notes;
  const write = {
    type: "publish-comment",
    commentId: comment.id,
    bodyHash: bodyHashOf(comment.body),
  } as const;
  await context.audit.append("publish", seen.issue.ref, { type: "done", write });
  record.note({ commentUrl: comment.url });
  await keepComment(comment.body, record, context);
  // Everything that people did since the comment is a reaction to this outcome.
  const decided = { ...wanted, atMs: Date.parse(comment.createdAt) };
  await writeRest(seen, decided, target, valid, publication);
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

/** Returns the recording of the parent's own runs, or else that of the Triage Agent's Session (V8). */
function recordingOf(record: RunRecord, { ports, settings }: CommentDeps): KeptFile | null {
  const file = record.artifacts.verification ?? record.artifacts.recording;
  if (file === null) return null;
  const path = relative(ports.runsDirectory, file).replaceAll("\\", "/");
  return { path, location: settings.evidenceLocation };
}
