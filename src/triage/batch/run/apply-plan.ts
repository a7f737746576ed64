import { messageOf, OperationalError } from "agent-tty/kit";
import {
  type GithubErrorCode,
  type Issue,
  type IssueComment,
  issueKey,
  type IssueRef,
  SWEPT,
} from "../../../github/index.ts";
import type { AuditFact } from "../../audit/index.ts";
import type { PublicationTarget } from "../../policy/index.ts";
import { applyPublication, planRest, type PublicationPlan } from "../../publication/index.ts";
import type { BatchContext } from "../batch-context.ts";
import { isIssueGone } from "../failures.ts";
import type { RunRecord } from "../run-record.ts";
import type { TriageErrorCode } from "../triage-error.ts";
import { type DecidedOutcome, recordDecided, suggestNatively } from "../trust/index.ts";
import { untilGithubAnswers } from "../until-github-answers.ts";
import type { CommentSearch } from "./comment-search.ts";
import { isOverruled, type Look, type LookValidity } from "./look.ts";

/** The wait before reading again what was written, if the first read does not show it. */
const READ_AGAIN_MS = 2_000;

/** The facts that all steps of one publication share. */
export interface Publication {
  record: RunRecord;
  context: BatchContext;
  signal: AbortSignal;
  /** The search for the comment of a POST without an answer, before the POST is repeated; absent: the comment stands. */
  search?: CommentSearch;
}

/**
 * Repeats an attempt at a publication while GitHub is away. A stop lets a publication finish, but does not wait for GitHub: the
 * next batch continues.
 */
export function untilAnswered(
  attempt: () => Promise<void>,
  patienceMs: number,
  { context, signal, search }: Pick<Publication, "context" | "signal" | "search">,
): Promise<void> {
  const { clock, observe } = context.ports;
  return untilGithubAnswers(attempt, {
    clock,
    patienceMs,
    signal: AbortSignal.any([signal, context.stop]),
    nextWaitMs: () => search?.nextWaitMs() ?? null,
    warn: (failure) => observe({ type: "warning", message: `a publication is tried again: ${failure}` }),
  });
}

/** Writes what is missing after our comment, unless people have decided since. */
export async function writeRest(
  seen: Pick<Extract<Look, { type: "ours" }>, "notes" | "issue">,
  decided: Decided,
  target: PublicationTarget,
  valid: LookValidity,
  { record, context, signal }: Pick<Publication, "record" | "context" | "signal">,
): Promise<void> {
  const { comment } = seen.notes;
  const { labels } = seen.issue;
  const plan = planRest(target, comment, seen.issue, context.settings.labels);
  if (plan.steps.length > 0 && (await isOverruled(seen, plan, context, signal))) {
    const atMs = Date.parse(comment.createdAt);
    recordDecided({ ...decided, atMs, commentId: comment.id }, record, context);
    return record.settle("requeued", "issue-changed");
  }
  await apply(plan, { labels, before: comment, decided, valid }, record, context, signal);
}

/**
 * Keeps the published comment for people who look at the run later. It is already public, so a failure here only causes a
 * warning.
 */
export async function keepComment(
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

/** Returns the error for a write that the token may not do. GitHub answers it with 404. */
function forbidden({ repo }: IssueRef, cause: unknown): OperationalError<GithubErrorCode> {
  return new OperationalError<GithubErrorCode>({
    code: "GITHUB_FORBIDDEN",
    message: `${messageOf(cause)}, although it can be read`,
    remedy: `Give the token read and write access to issues of ${repo}: GitHub answers 404 to a request that the token may not make.`,
    cause,
  });
}

/** Returns the error after which the batch looks at the issue again and publishes the rest. */
function outdatedLook(ref: IssueRef): OperationalError<GithubErrorCode> {
  return new OperationalError<GithubErrorCode>({
    code: "GITHUB_UNREACHABLE",
    message: `publish the rest of the outcome of ${issueKey(ref)}: the last look at the issue is too old`,
    remedy:
      "The next batch looks at the issue again and continues from there, without a second Triage Agent.",
  });
}

/** The decided outcome without the id of its comment. */
export type Decided = Omit<DecidedOutcome, "commentId">;

interface Beginning extends Pick<Issue, "labels"> {
  /** How long the look behind the plan is valid. */
  valid: LookValidity;
  search?: CommentSearch;
  /** Our comment, if it was there before. */
  before: IssueComment | null;
  decided: Decided;
}

/** Writes what the plan says, reads it back and settles the run. */
export async function apply(
  plan: PublicationPlan,
  { labels, search, before, decided, valid }: Beginning,
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
  const ports = { ...context.ports, ...valid, record: audited, pause };
  const result = await applyPublication(plan, ports, signal, async (step, comment) => {
    record.phase("applying", step.type);
    if (comment !== null) record.note({ commentUrl: comment.url });
    if (step.type === "publish-comment") await keepComment(step.body, record, context);
  }).catch(async (error: unknown) => {
    const isThere = isIssueGone(error) && (await ports.reader.issue(plan.ref, signal)).type === "found";
    throw isThere ? forbidden(plan.ref, error) : error;
  });
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
      if ((result.comment ?? before) !== null) throw outdatedLook(plan.ref);
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
