import { type Clock, startDeadline } from "agent-tty/kit";
import {
  findSweepNotes,
  findTriageNotes,
  type GithubReader,
  type Issue,
  type IssueComment,
  issueKey,
  newestNotes,
  type IssueRef,
  type Person,
  type SweepNotes,
  type TriageNotes,
} from "../../../github/index.ts";
import type { CoderWorkspaceProvider, WorkspaceIdentity } from "../../../workspaces/index.ts";
import { areRolesChangedSince, isCloseAnswered } from "../../eligibility/index.ts";
import type { PublicationPlan, PublicationPorts } from "../../publication/index.ts";
import { snapshotHash } from "../../snapshot-hash.ts";
import type { BatchPorts, MarkerSettings } from "../batch-context.ts";
import type { AssessedIssue } from "../candidate.ts";
import type { Publishable } from "../publishable.ts";
import { markerTrust } from "../select-issues.ts";
import type { BatchSettings } from "../settings.ts";

/** Our identity, and the ports through which issue and lock are read. */
interface LookDeps {
  runId: string;
  viewer: Person;
  ports: { reader: GithubReader; provider: CoderWorkspaceProvider; markers: MarkerSettings };
}

interface Looked {
  fresh: AssessedIssue;
  concluded: Publishable;
  /** The lock; null: there is none. */
  workspace: WorkspaceIdentity | null;
  context: LookDeps;
  signal: AbortSignal;
  /** Whether our own close may have taken effect without an answer. */
  isCloseSent: boolean;
}

/** The state of the issue and of the lock right before the first write. */
export type Look =
  | { type: "current"; issue: Issue; comments: IssueComment[] }
  /** This run's own comment is already there: the answer to its POST was lost. */
  | { type: "ours"; notes: OurNotes; issue: Issue }
  | { type: "stale"; reason: string };

/**
 * How long a look at the issue and the lock is valid. A stopped process or a sleeping machine does not notice the time that passes;
 * during that time the lease may have run out, and people or another parent may have decided.
 */
const LOOK_HOLDS_MS = 60_000;

export type LookValidity = Required<Pick<PublicationPorts, "mayWrite" | "lookHolds">>;

/**
 * Starts the time for which a look is valid, by the wall clock and by a timer, and returns checks of it. It must be called before
 * the look.
 */
export function startLook(clock: Clock, ref: IssueRef): LookValidity & Disposable {
  const lookedAtMs = clock.nowMs();
  const holds = startDeadline(clock, `the writes after a look at ${issueKey(ref)}`, LOOK_HOLDS_MS);
  return {
    mayWrite: () => clock.nowMs() - lookedAtMs <= LOOK_HOLDS_MS,
    lookHolds: holds.signal,
    [Symbol.dispose]: () => holds[Symbol.dispose](),
  };
}

/**
 * Returns `current` when the issue is unchanged since the decision and the lock is still ours. A lease that is `unknown` does not
 * count as `held`.
 */
export async function look({
  fresh,
  concluded,
  workspace,
  context,
  signal,
  isCloseSent,
}: Looked): Promise<Look> {
  const { reader, provider } = context.ports;
  const { ref } = fresh.issue;
  const lookup = await reader.issue(ref, signal);
  if (lookup.type === "gone") return stale(`issue-${lookup.reason}`);
  const { issue } = lookup;
  const comments = issue.commentCount > 0 ? await reader.comments(ref, signal) : [];
  const find = concluded.kind === "sweep" ? findSweepNotes : findTriageNotes;
  const trust = markerTrust(context);
  // An edited comment counts, too: nothing is read from it, but it stands.
  const notes = newestNotes<OurNotes>(find({ comments, ref, trust }));
  if (notes !== null && isOfThisRun(notes, context)) return { type: "ours", notes, issue };
  const before = snapshotHash(fresh.issue, fresh.comments, context.viewer.id);
  const apartFromOurs = isCloseSent ? { ...issue, state: fresh.issue.state } : issue;
  if (snapshotHash(apartFromOurs, comments, context.viewer.id) !== before) return stale("issue-changed");
  // The newer comment is from an earlier batch whose answer was lost, or from a parent that does not see our locks (T11).
  const known = newestNotes<OurNotes>(find({ comments: fresh.comments, ref, trust }));
  if (notes !== null && notes.comment.id > (known?.comment.id ?? 0)) return stale("already-published");
  if (workspace === null) return { type: "current", issue, comments };
  const lease = await provider.leaseState(workspace.id, signal);
  return lease === "held" ? { type: "current", issue, comments } : stale(`lease-${lease}`);
}

/**
 * Returns whether people have decided since our comment `ours`, or have written before a close: then the rest of the publication,
 * `plan`, is not written, as it would not be by the repair of a later batch.
 */
export async function isOverruled(
  { notes, issue }: Pick<Extract<Look, { type: "ours" }>, "notes" | "issue">,
  plan: PublicationPlan,
  { settings, viewer, ports }: OverruleDeps,
  signal: AbortSignal,
): Promise<boolean> {
  if (issue.state === "closed" || issue.locked) return true;
  const { reader } = ports;
  const events = await reader.labelEvents(issue.ref, signal);
  if (areRolesChangedSince({ ...notes, target: plan.target }, events, settings.labels)) return true;
  if (!plan.steps.some(({ type }) => type === "close")) return false;
  const comments = await reader.comments(issue.ref, signal);
  return isCloseAnswered(plan, notes, { issue, comments, viewerId: viewer.id });
}

interface OverruleDeps extends Pick<LookDeps, "viewer"> {
  settings: Pick<BatchSettings, "labels">;
  ports: Pick<BatchPorts, "reader">;
}

function stale(reason: string): Look {
  return { type: "stale", reason };
}

/** Triage notes, or the comment of a sweep. */
type OurNotes = TriageNotes | SweepNotes;

function isOfThisRun(
  { comment, marker }: OurNotes,
  { runId, viewer }: Pick<LookDeps, "runId" | "viewer">,
): boolean {
  return marker.run === runId && comment.author?.id === viewer.id;
}
