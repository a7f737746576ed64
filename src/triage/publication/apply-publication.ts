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
}

export type PublicationResult =
  /** Read back from GitHub and found as planned. `comment` is null when it had been published before. */
  | { type: "applied"; comment: IssueComment | null; issue: Issue }
  /** Every step was accepted, yet GitHub shows something else (policy 5). */
  | { type: "mismatch"; comment: IssueComment | null; expected: SeenRoles; seen: SeenRoles }
  /** The issue vanished while it was written to. */
  | { type: "gone"; comment: IssueComment | null; reason: "transferred" | "not-found" | "deleted" };

export interface SeenRoles {
  categories: IssueCategory[];
  states: TriageState[];
  state: Issue["state"];
}

/**
 * The applier: the only code that writes to an issue. Steps go out one by one, in order, and stop at the first that
 * GitHub refuses (its OperationalError passes through); the next batch repairs from there. `onStep` runs after each step.
 */
export async function applyPublication(
  plan: PublicationPlan,
  ports: PublicationPorts,
  signal: AbortSignal,
  onStep: (step: PublicationStep) => void | Promise<void>,
): Promise<PublicationResult> {
  let comment: IssueComment | null = null;
  for (const step of plan.steps) {
    signal.throwIfAborted();
    await ports.record({ type: "intended", write: auditWrite(step, null) });
    comment = (await applyStep(step, plan, ports.writer, signal)) ?? comment;
    await ports.record({ type: "done", write: auditWrite(step, comment) });
    await onStep(step);
  }
  const lookup = await ports.reader.issue(plan.ref, signal);
  if (lookup.type === "gone") return { type: "gone", comment, reason: lookup.reason };
  return judge(plan, lookup.issue, comment);
}

async function applyStep(
  step: PublicationStep,
  { ref }: PublicationPlan,
  writer: GithubWriter,
  signal: AbortSignal,
): Promise<IssueComment | null> {
  switch (step.type) {
    case "publish-comment":
      return writer.publishComment(ref, step.body, signal);
    case "add-label":
      await writer.addLabel(ref, step.label, signal);
      return null;
    case "remove-label":
      await writer.removeLabel(ref, step.label, signal);
      return null;
    case "close":
      await writer.closeIssue(ref, step.reason, signal);
      return null;
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
    states: target.labels === "leave" ? seen.states : [target.state],
    state: target.close === null ? seen.state : "closed",
  };
  const isAsPlanned =
    expected.categories.join() === seen.categories.join() &&
    expected.states.join() === seen.states.join() &&
    expected.state === seen.state;
  return isAsPlanned ? { type: "applied", comment, issue } : { type: "mismatch", comment, expected, seen };
}
