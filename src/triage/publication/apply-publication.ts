import type { GithubReader, GithubWriter, Issue, IssueComment } from "../../github/index.ts";
import { type AuditFact, type AuditWrite, bodyHashOf } from "../audit/index.ts";
import type { IssueCategory, TriageState } from "../outcome.ts";
import { categoryRoles, stateRoles } from "../policy/index.ts";
import type { PublicationPlan, PublicationStep } from "./plan-publication.ts";

export interface PublicationPorts {
  reader: Pick<GithubReader, "issue">;
  writer: GithubWriter;
  /** On disk when it resolves: nothing is written to GitHub that is not announced there first (T10). */
  record: (fact: AuditFact) => Promise<void>;
  /** Asked right before the first write: whether what the plan was made on still counts; default: it does. */
  mayBegin?: () => boolean;
  /** Aborts when that does not count any more: a first write that waits for GitHub (a close, labels) is then given up. */
  lookHolds?: AbortSignal;
  /** Before another look at what does not show yet: GitHub's reads may lag behind its writes. Without it there is one look. */
  pause?: (signal: AbortSignal) => Promise<void>;
}

export type PublicationResult =
  /** Read back from GitHub and found as planned. `comment` is null when it had been published before. */
  | { type: "applied"; comment: IssueComment | null; issue: Issue }
  /** Every step was accepted, yet GitHub shows something else (policy 5). */
  | { type: "mismatch"; comment: IssueComment | null; expected: SeenRoles; seen: SeenRoles }
  /** It took too long to get here, so nothing was written. */
  | { type: "outdated"; comment: null }
  /** The issue vanished while it was written to. */
  | { type: "gone"; comment: IssueComment | null; reason: "transferred" | "not-found" | "deleted" };

export interface SeenRoles {
  categories: IssueCategory[];
  states: TriageState[];
  state: Issue["state"];
}

/**
 * The applier: the only code that writes to an issue. Steps go out in order, and stop at the first that
 * GitHub refuses (its OperationalError passes through); the next batch repairs from there. `onStep` runs after each step.
 */
export async function applyPublication(
  plan: PublicationPlan,
  ports: PublicationPorts,
  signal: AbortSignal,
  onStep: (step: PublicationStep) => void | Promise<void>,
): Promise<PublicationResult> {
  const answer: WriteAnswer = { comment: null, closed: null };
  for (const [index, steps] of requestsOf(plan.steps).entries()) {
    signal.throwIfAborted();
    for (const step of steps) await ports.record({ type: "intended", write: auditWrite(step, null) });
    if (index === 0 && ports.mayBegin?.() === false) return { type: "outdated", comment: null };
    const written = await (index === 0 ? applyFirst : applySteps)(steps, plan, ports, signal);
    if (written === "outdated") return { type: "outdated", comment: null };
    Object.assign(answer, written);
    for (const step of steps) {
      await ports.record({ type: "done", write: auditWrite(step, answer.comment) });
      await onStep(step);
    }
  }
  const { comment, closed } = answer;
  // A close is the last write, and its answer the whole issue.
  let result = closed !== null ? judge(plan, closed, comment) : await readBack(plan, comment, ports, signal);
  for (let looks = 1; result.type === "mismatch" && ports.pause !== undefined && looks < LOOKS; looks += 1) {
    await ports.pause(signal);
    result = await readBack(plan, comment, ports, signal);
  }
  return result;
}

/** At what was written, in all. */
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

/** Labels that are added one after the other go in one request (P13); they are there all or none. */
function requestsOf(steps: readonly PublicationStep[]): [PublicationStep, ...PublicationStep[]][] {
  const requests: [PublicationStep, ...PublicationStep[]][] = [];
  for (const step of steps) {
    const last = requests.at(-1);
    if (step.type === "add-label" && last?.[0].type === "add-label") last.push(step);
    else requests.push([step]);
  }
  return requests;
}

/** A comment is never waited for, and the answer to one must not be given up. */
async function applyFirst(
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

/** Policy 5: exactly one category and one state role. An unknown category cannot be asked for. */
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
