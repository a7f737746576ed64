import { relative } from "node:path";
import { messageOf, OperationalError, startDeadline } from "agent-tty/kit";
import { findTriageNotes, type Issue, type IssueComment, issueKey } from "../../github/index.ts";
import type { WorkspaceIdentity } from "../../workspaces/index.ts";
import type { AuditFact } from "../audit/index.ts";
import { renderComment } from "../comment/index.ts";
import type { Decision } from "../policy/index.ts";
import {
  applyPublication,
  planPublication,
  planRepair,
  type PublicationPlan,
  type PublicationPorts,
} from "../publication/index.ts";
import { snapshotHash } from "../snapshot-hash.ts";
import type { BatchContext } from "./batch-context.ts";
import type { RunRecord } from "./run-record.ts";
import { type AssessedIssue, type Candidate, markerTrust } from "./select-issues.ts";
import type { TriageErrorCode } from "./triage-error.ts";

/**
 * Publishing is short and must not stop between its steps: its deadline is its own, and a stop of the batch lets it
 * finish.
 */
const PUBLICATION_DEADLINE_MS = 3 * 60_000;

/**
 * How long the last look at the issue and the lock counts, by the wall clock. A process that is stopped, or a machine that
 * sleeps, does not notice: meanwhile the lease may have run out, and somebody else may have published.
 */
const LOOK_HOLDS_MS = 60_000;

/** Between two looks at what was written, where the first does not show it. */
const READ_AGAIN_MS = 2_000;

/**
 * Policy 8: re-check the world, then comment, labels, close, read back. `workspace` is the lock; a vulnerability report that was
 * caught by its own text has none (S16), and its comment is the same whoever publishes it.
 */
export async function publish(
  fresh: AssessedIssue,
  decision: Decision,
  workspace: WorkspaceIdentity | null,
  record: RunRecord,
  context: BatchContext,
): Promise<void> {
  context.stop.throwIfAborted();
  record.phase("applying");
  using deadline = startDeadline(
    context.ports.clock,
    `publishing the outcome of ${issueKey(fresh.issue.ref)}`,
    PUBLICATION_DEADLINE_MS,
  );
  const { clock } = context.ports;
  const lookedAtMs = clock.nowMs();
  const stale = await staleReason(fresh, workspace, context, deadline.signal);
  if (stale !== null) {
    record.settle("requeued", stale);
    return;
  }
  const { issue } = fresh;
  const body = renderDecision(decision, fresh, record, context);
  const hit = context.ports.canaries.find(body);
  if (hit !== null) record.leaked(hit, "its comment");
  record.throwIfLeaked();
  const plan = planPublication({
    ref: issue.ref,
    labelsNow: issue.labels,
    state: issue.state,
    decision,
    comment: { type: "to-publish", body },
    labelNames: context.settings.labels,
  });
  record.note({ category: decision.category, outcome: decision.state, policy: [...decision.policy] });
  const mayBegin = (): boolean => clock.nowMs() - lookedAtMs <= LOOK_HOLDS_MS;
  await apply(plan, { labels: issue.labels, mayBegin }, record, context, deadline.signal);
}

/** What stands on GitHub now, for whoever looks at the run later. It is out: nothing that fails here undoes that. */
async function keepComment(body: string, record: RunRecord, { ports }: BatchContext): Promise<void> {
  try {
    await record.keep("comment.md", body);
  } catch (error) {
    ports.observe({ type: "warning", message: `the published comment was not kept: ${messageOf(error)}` });
  }
}

/** A publication that was cut off after its comment is finished from the marker: no Triage Agent, no second comment. */
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
  record.note({
    reason: "repair",
    category: plan.target.category,
    outcome: plan.target.state,
    policy: ["repaired"],
    commentUrl: eligibility.notes.comment.url,
  });
  await apply(plan, { labels: issue.labels }, record, context, deadline.signal);
}

/** null when the issue is what the decision was made on and the lock is still ours; `unknown` is not `held`. */
async function staleReason(
  fresh: AssessedIssue,
  workspace: WorkspaceIdentity | null,
  context: BatchContext,
  signal: AbortSignal,
): Promise<string | null> {
  const { reader, provider } = context.ports;
  const { issue } = fresh;
  const lookup = await reader.issue(issue.ref, signal);
  if (lookup.type === "gone") return `issue-${lookup.reason}`;
  const comments = lookup.issue.commentCount > 0 ? await reader.comments(issue.ref, signal) : [];
  const before = snapshotHash(issue, fresh.comments, context.viewer.id);
  if (snapshotHash(lookup.issue, comments, context.viewer.id) !== before) return "issue-changed";
  if (hasNewNotes(fresh, comments, context)) return "already-published";
  if (workspace === null) return null;
  const lease = await provider.leaseState(workspace.id, signal);
  return lease === "held" ? null : `lease-${lease}`;
}

/** T11: a comment of an earlier batch that took effect after its answer was lost, or of a parent that does not see our locks. */
function hasNewNotes(
  { issue, notes }: AssessedIssue,
  comments: readonly IssueComment[],
  context: BatchContext,
): boolean {
  const now = findTriageNotes({ comments, ref: issue.ref, trust: markerTrust(context) }).notes;
  return now !== null && now.comment.id > (notes?.comment.id ?? 0);
}

function renderDecision(
  decision: Decision,
  fresh: AssessedIssue,
  record: RunRecord,
  context: BatchContext,
): string {
  const { issue } = fresh;
  const [key] = context.ports.markers.keys;
  return renderComment(decision, {
    issue,
    runId: context.runId,
    markerKey: key ?? null,
    recording: recordingHint(record, context),
  });
}

/** Where a person finds the parent's own recording: below the home of the machine that ran the batch, or its artifacts. */
function recordingHint(record: RunRecord, context: BatchContext): string | null {
  const path = record.artifacts.verification ?? record.artifacts.recording;
  if (path === null) return null;
  const place = `<home>/runs/${relative(context.ports.runsDirectory, path)}`;
  const { artifactsUrl } = context.settings;
  return artifactsUrl === null ? place : `${place} in the artifacts of ${artifactsUrl}`;
}

async function apply(
  plan: PublicationPlan,
  { labels, ...begin }: Pick<Issue, "labels"> & Pick<PublicationPorts, "mayBegin">,
  record: RunRecord,
  context: BatchContext,
  signal: AbortSignal,
): Promise<void> {
  const audited = (fact: AuditFact): Promise<void> => context.audit.append("publish", plan.ref, fact);
  const { target } = plan;
  await audited({
    type: "decided",
    outcome: target.state,
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
          "Somebody changed the labels at the same moment, or the token may not label: check the issue by hand.",
      });
  }
}
