import {
  findSweepNotes,
  findTriageNotes,
  type Issue,
  newestNotes,
  type SweepNotes,
} from "../../github/index.ts";
import {
  type AssessedIssue,
  type BatchContext,
  type Eligibility,
  isRetryDue,
  isSecurityReport,
  markerTrust,
  snapshotHash,
} from "../../triage/index.ts";
import { type SweptIssue, textHash } from "../swept/index.ts";
import { decideDue, type ToldVerdict } from "../due/index.ts";
import { messageKey } from "../verdict/index.ts";
import { mayClose } from "./may-close.ts";
import { saidIn } from "./said-in.ts";
import type { Sweep } from "./sweep.ts";

/**
 * Returns the action that is due on an issue according to its listing and the home. It sends no request to GitHub. `skipped` is
 * final; any other action may turn out not to be due once the comments are read.
 */
export async function assessUnread(
  issue: Issue,
  context: Pick<BatchContext, "trust"> & { ports: Pick<BatchContext["ports"], "clock"> },
  sweep: Sweep,
): Promise<AssessedIssue> {
  const nothing = { issue, comments: [], notes: null, history: [], labelEvents: null, asked: [] };
  const swept = await sweep.library.read(issue.ref);
  const nowMs = context.ports.clock.nowMs();
  const settings = settingsFor(issue, context, sweep);
  const due = decideDue({ issue, swept, seen: swept?.seen ?? "", told: null, nowMs }, settings);
  if (swept === null) return { ...nothing, eligibility: due };
  if (swept.updatedAt === issue.updatedAt)
    return { ...nothing, eligibility: await withinDay(due, issue, sweep) };
  const isChanged = due.type === "skipped" && due.reason === "already-swept";
  return { ...nothing, eligibility: isChanged ? { type: "eligible", reason: "without-verdict" } : due };
}

/**
 * Returns the current facts about an issue, with the next action of a sweep on it. Comments are read only if GitHub reports a
 * change since the issue was last read, or if an action is due (W5).
 */
export async function assessSwept(
  issue: Issue,
  context: BatchContext,
  signal: AbortSignal,
  sweep: Sweep,
): Promise<AssessedIssue> {
  const { ports, viewer } = context;
  const unread = await assessUnread(issue, context, sweep);
  if (unread.eligibility.type === "skipped") return unread;
  const swept = await sweep.library.read(issue.ref);
  const comments = issue.commentCount > 0 ? await ports.reader.comments(issue.ref, signal) : [];
  const trust = markerTrust(context);
  const found = findSweepNotes({ comments, ref: issue.ref, trust });
  const told = found.notes;
  const { notes, history } = findTriageNotes({ comments, ref: issue.ref, trust });
  const seen = snapshotHash(issue, comments, viewer.id);
  const facts = { issue, swept, seen, told: toldBy(newestNotes(found)), nowMs: ports.clock.nowMs() };
  const due = decideDue(facts, settingsFor(issue, context, sweep));
  const assessed = { ...unread, comments, notes, history };
  if (isSecurityReport(assessed))
    return { ...assessed, eligibility: { type: "skipped", reason: "security-report" } };
  if (swept !== null && due.type === "skipped" && !context.settings.dryRun)
    await noteLook(swept, issue, seen, told, sweep);
  if (due.type === "eligible" && !isRetryDue(issue, comments, context))
    return { ...assessed, eligibility: { type: "skipped", reason: "failed-recently" } };
  return { ...assessed, eligibility: await withinDay(due, issue, sweep) };
}

function settingsFor(
  { ref }: Issue,
  context: Pick<BatchContext, "trust">,
  { settings }: Sweep,
): Parameters<typeof decideDue>[1] {
  return { ...settings, closes: mayClose(ref.repo, context, settings) };
}

function toldBy(notes: SweepNotes | null): ToldVerdict | null {
  if (notes === null) return null;
  const { verdict = null, seen = null } = notes.marker.extra;
  return { commentId: notes.comment.id, verdict, seen };
}

/**
 * Returns the action that is due; an issue whose comment exceeds the day's allowance is skipped, so that it costs nothing until
 * then.
 */
async function withinDay(due: Eligibility, { ref }: Issue, { allowance }: Sweep): Promise<Eligibility> {
  const isWaiting = due.type === "eligible" && due.reason === "comment-due" && !(await allowance.has(ref));
  return isWaiting ? { type: "skipped", reason: "comment-limit" } : due;
}

/**
 * Records that the sweep has read an issue on which it has nothing to do: since the last read, only our own comment or nothing
 * relevant has changed.
 */
async function noteLook(
  swept: SweptIssue,
  issue: Issue,
  seen: string,
  told: SweepNotes | null,
  { library, settings }: Sweep,
): Promise<void> {
  if (swept.seen !== seen) return;
  const isAdopted = swept.comment.type === "due" && told !== null;
  const adopted = isAdopted
    ? {
        comment: { type: "published" } as const,
        said: saidIn(told.comment, messageKey(swept.verdict), textHash(issue), settings.graceMs),
      }
    : {};
  await library.save({ ...swept, ...adopted, updatedAt: issue.updatedAt });
}
