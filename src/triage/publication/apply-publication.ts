import type { GithubReader, GithubWriter, Issue, IssueComment } from "../../github/index.ts";
import { type AuditFact, type AuditWrite, bodyHashOf } from "../audit/index.ts";
import type { IssueCategory, TriageState } from "../outcome.ts";
import { categoryRoles, stateRoles } from "../policy/index.ts";
import type { PublicationPlan, PublicationStep } from "./plan-publication.ts";

export interface PublicationPorts {
  reader: Pick<GithubReader, "issue">;
  writer: GithubWriter;
  /** The fact is on disk when the promise resolves: every write to GitHub is recorded before it is sent (T10). */
  record: (fact: AuditFact) => Promise<void>;
  /** Called right before each write: returns whether the last look at the issue is still valid; default: true. */
  mayWrite?: () => boolean;
  /**
   * Aborts when that look is no longer valid: a write that waits for its turn is then abandoned, unless it is a comment, whose
   * answer must not be lost.
   */
  lookHolds?: AbortSignal;
  /**
   * Waits before the issue is read again because GitHub does not show the writes yet: its reads may lag behind its writes.
   * Absent: the issue is read once.
   */
  pause?: (signal: AbortSignal) => Promise<void>;
}

export type PublicationResult =
  /** GitHub shows the issue as planned. `comment` is null when the comment had already been published. */
  | { type: "applied"; comment: IssueComment | null; issue: Issue }
  /** Every step was accepted, yet GitHub shows something else (policy 5). */
  | { type: "mismatch"; comment: IssueComment | null; expected: SeenRoles; seen: SeenRoles }
  /** The last look at the issue is too old for the next write. */
  | { type: "outdated"; comment: IssueComment | null }
  /** The issue disappeared during the writes. */
  | { type: "gone"; comment: IssueComment | null; reason: "transferred" | "not-found" | "deleted" };

export interface SeenRoles {
  categories: IssueCategory[];
  states: TriageState[];
  state: Issue["state"];
}

/**
 * Publishes a plan. This is the applier, the only code that publishes to an issue. It sends the steps in order and stops at the
 * first one that GitHub refuses (the OperationalError is rethrown); the next batch repairs the rest. `onStep` is called after
 * each step, with the comment that has been published so far.
 */
export async function applyPublication(
  plan: PublicationPlan,
  ports: PublicationPorts,
  signal: AbortSignal,
  onStep: (step: PublicationStep, comment: IssueComment | null) => void | Promise<void>,
): Promise<PublicationResult> {
  const answer: WriteAnswer = { comment: null, closed: null };
  for (const steps of requestsOf(plan.steps)) {
    signal.throwIfAborted();
    for (const step of steps) await ports.record({ type: "intended", write: auditWrite(step, null) });
    if (ports.mayWrite?.() === false) return { type: "outdated", comment: answer.comment };
    const written = await applyWhileValid(steps, plan, ports, signal);
    if (written === "outdated") return { type: "outdated", comment: answer.comment };
    Object.assign(answer, written);
    for (const step of steps) {
      await ports.record({ type: "done", write: auditWrite(step, answer.comment) });
      await onStep(step, answer.comment);
    }
  }
  const { comment, closed } = answer;
  // A close is the last write, and its response contains the whole issue.
  let result = closed !== null ? judge(plan, closed, comment) : await readBack(plan, comment, ports, signal);
  for (let looks = 1; result.type === "mismatch" && ports.pause !== undefined && looks < LOOKS; looks += 1) {
    await ports.pause(signal);
    result = await readBack(plan, comment, ports, signal);
  }
  return result;
}

/** How often the issue is read at most to check what was written. */
const LOOKS = 3;

async function readBack(
  plan: PublicationPlan,
  comment: IssueComment | null,
  { reader }: PublicationPorts,
  signal: AbortSignal,
): Promise<PublicationResult> {
  const lookup = await reader.issue(plan.ref, signal);
  if (lookup.type === "gone") return { type: "gone", comment, reason: lookup.reason };
  return judge(plan, lookup.issue, comment);
}

interface WriteAnswer {
  comment: IssueComment | null;
  closed: Issue | null;
}

/** Combines consecutive additions of labels into one request (P13), which adds all of them or none. */
function requestsOf(steps: readonly PublicationStep[]): [PublicationStep, ...PublicationStep[]][] {
  const requests: [PublicationStep, ...PublicationStep[]][] = [];
  for (const step of steps) {
    const last = requests.at(-1);
    if (step.type === "add-label" && last?.[0].type === "add-label") last.push(step);
    else requests.push([step]);
  }
  return requests;
}

/** Sends one request. Abandons it when `lookHolds` aborts, unless it is a comment. */
async function applyWhileValid(
  steps: readonly [PublicationStep, ...PublicationStep[]],
  plan: PublicationPlan,
  ports: PublicationPorts,
  signal: AbortSignal,
): Promise<Partial<WriteAnswer> | "outdated"> {
  const { lookHolds } = ports;
  if (lookHolds === undefined || steps[0].type === "publish-comment")
    return applySteps(steps, plan, ports, signal);
  return applySteps(steps, plan, ports, AbortSignal.any([signal, lookHolds])).catch((error: unknown) => {
    signal.throwIfAborted();
    if (lookHolds.aborted) return "outdated";
    throw error;
  });
}

async function applySteps(
  [step, ...more]: readonly [PublicationStep, ...PublicationStep[]],
  { ref }: PublicationPlan,
  { writer }: Pick<PublicationPorts, "writer">,
  signal: AbortSignal,
): Promise<Partial<WriteAnswer>> {
  switch (step.type) {
    case "publish-comment":
      return { comment: await writer.publishComment(ref, step.body, signal) };
    case "add-label": {
      const others = more.flatMap((other) => (other.type === "add-label" ? [other.label] : []));
      await writer.addLabels(ref, [step.label, ...others], signal);
      return {};
    }
    case "remove-label":
      await writer.removeLabel(ref, step.label, signal);
      return {};
    case "close":
      return { closed: await writer.closeIssue(ref, step.reason, signal) };
  }
}

function auditWrite(step: PublicationStep, published: IssueComment | null): AuditWrite {
  return step.type === "publish-comment"
    ? { type: step.type, commentId: published?.id ?? null, bodyHash: bodyHashOf(step.body) }
    : step;
}

/**
 * Returns the result of a publication, which depends on whether the issue has exactly one category role and one state role
 * (policy 5). An unknown category is not checked.
 */
function judge(
  { target, labelNames }: PublicationPlan,
  issue: Issue,
  comment: IssueComment | null,
): PublicationResult {
  const seen: SeenRoles = {
    categories: categoryRoles(issue.labels, labelNames),
    states: stateRoles(issue.labels, labelNames),
    state: issue.state,
  };
  const expected: SeenRoles = {
    categories: target.labels === "leave" || target.category === null ? seen.categories : [target.category],
    states: target.labels === "leave" || target.state === null ? seen.states : [target.state],
    state: target.close === null ? seen.state : "closed",
  };
  const isAsPlanned =
    expected.categories.join() === seen.categories.join() &&
    expected.states.join() === seen.states.join() &&
    expected.state === seen.state;
  return isAsPlanned ? { type: "applied", comment, issue } : { type: "mismatch", comment, expected, seen };
}
