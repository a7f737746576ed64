import type {
  Issue,
  IssueComment,
  IssueSuggestion,
  Person,
  Reaction,
  TimelineFact,
} from "../../../github/index.ts";
import { ourOutcome, type TrustFactOf } from "../../../trust/index.ts";
import type { LabelNames } from "../../labels.ts";
import { roleOf } from "../../policy/index.ts";
import { triageStates } from "../../outcome.ts";

/** An act on one of our outcomes. Whether the person may triage is checked later. */
export type Act = { at: string; by: Person | null; source: string } & (
  | { type: "overridden"; how: TrustFactOf<"overridden">["detail"]["how"]; to: string | null }
  | { type: "endorsed"; how: TrustFactOf<"endorsed">["detail"]["how"] }
);

export interface ActFacts {
  decided: TrustFactOf<"decided">;
  /** When another of our outcomes replaced it, in milliseconds since the epoch; null: none did. */
  replacedMs: number | null;
  timeline: readonly TimelineFact[];
  /** null, like the reactions: not requested. */
  comments: readonly IssueComment[] | null;
  reactions: readonly Reaction[] | null;
  /** Our own suggestions on the issue, answered or not. */
  suggestions: readonly IssueSuggestion[];
  /** null: it is gone. */
  issue: Pick<Issue, "state" | "stateReason" | "author"> | null;
  /** Our own numeric user id. */
  viewerId: number;
  labels: LabelNames;
}

const AGAINST = new Set(["-1", "confused"]);
const IN_FAVOUR = new Set(["+1", "heart", "hooray", "rocket"]);

/**
 * Returns what people did to one of our outcomes, in order of time (E3). Pure. A new state after the reporter's answer to a
 * question is progress and not an override. An act after another of our outcomes replaced this one belongs to the newer outcome.
 */
export function findActs(facts: ActFacts): Act[] {
  const onIssue = [
    ...facts.timeline.filter((event) => isByPerson(event, facts)).flatMap((event) => actOf(event, facts)),
    ...facts.suggestions.flatMap((suggestion) => suggestionAct(suggestion, facts)),
  ];
  return [
    ...onIssue.filter(({ at }) => isBeforeReplaced(at, facts)),
    // An act that names our comment is about the outcome of that comment, whenever it happens.
    ...commentActs(facts),
    ...(facts.reactions ?? []).flatMap((reaction) => reactionAct(reaction, facts)),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Returns when the reporter first replied after the outcome, in epoch milliseconds; null: not yet. */
export function repliedAtMs(facts: ActFacts): number | null {
  const { decided, timeline, issue } = facts;
  const reporterId = issue?.author?.id ?? null;
  const reply = timeline.find(
    ({ type, actor, at }) =>
      type === "commented" &&
      actor?.id === reporterId &&
      Date.parse(at) > decided.atMs &&
      isBeforeReplaced(at, facts),
  );
  return reply === undefined ? null : Date.parse(reply.at);
}

/**
 * Returns whether the issue is open and no longer shows what we had set: a person removed or replaced the state label, or
 * reopened what we had closed. Pure. That outcome was not accepted. It was not rejected either, because people also remove the
 * label when they begin to work, and not everybody may decide.
 */
export function isWithdrawn(facts: ActFacts): boolean {
  const { decided, timeline, issue, labels } = facts;
  const { state, close } = decided.detail;
  if (issue?.state !== "open") return false;
  if (close !== null) return true;
  const last = timeline.findLast((event) => {
    if (event.type !== "labeled" && event.type !== "unlabeled") return false;
    const role = roleOf(event.label, labels);
    const isAboutState = event.type === "labeled" ? isState(role) : role === state;
    return isAboutState && isBeforeReplaced(event.at, facts);
  });
  if (last === undefined || !isByAnyPerson(last, facts) || isProgress(last, facts)) return false;
  return last.type === "unlabeled" || (last.type === "labeled" && roleOf(last.label, labels) !== state);
}

/** Returns whether a person other than us did it after the outcome. */
function isByPerson(event: TimelineFact, { decided, viewerId }: ActFacts): boolean {
  return isLaterByPerson(event, decided) && event.actor?.id !== viewerId;
}

/**
 * Returns whether a person did it after the outcome. The program may run under the account of a person. What that account did is
 * the person's as long as no other outcome of ours replaced this one.
 */
function isByAnyPerson(event: TimelineFact, facts: ActFacts): boolean {
  return facts.replacedMs === null ? isLaterByPerson(event, facts.decided) : isByPerson(event, facts);
}

function isLaterByPerson({ at, actor }: TimelineFact, { atMs }: Pick<ActFacts["decided"], "atMs">): boolean {
  return Date.parse(at) > atMs && actor !== null && !actor.isBot;
}

/** Returns whether it changed the state of a question that the reporter had answered. */
function isProgress({ at }: TimelineFact, facts: ActFacts): boolean {
  const repliedMs = repliedAtMs(facts);
  return facts.decided.detail.state === "needs-info" && repliedMs !== null && Date.parse(at) > repliedMs;
}

function isState(role: string | null): boolean {
  return (triageStates as readonly (string | null)[]).includes(role);
}

function isBeforeReplaced(at: string, { replacedMs }: Pick<ActFacts, "replacedMs">): boolean {
  return replacedMs === null || Date.parse(at) < replacedMs;
}

function actOf(event: TimelineFact, facts: ActFacts): Act[] {
  const { decided, labels } = facts;
  const { state, level, close } = decided.detail;
  const base = { at: event.at, by: event.actor, source: `timeline: ${event.type} at ${event.at}` };
  if (event.type === "reopened" && close !== null && level === "apply")
    return [{ ...base, type: "overridden", how: "reopened", to: null }];
  if (event.type === "closed" || event.type === "marked-as-duplicate")
    return isContradicting(event, facts) ? [{ ...base, type: "overridden", how: event.type, to: null }] : [];
  if (event.type !== "labeled") return [];
  const role = roleOf(event.label, labels);
  if (role === null || !isState(role) || isProgress(event, facts)) return [];
  if (role !== state) return [{ ...base, type: "overridden", how: "label-changed", to: role }];
  return level === "apply" ? [] : [{ ...base, type: "endorsed", how: "same-label" }];
}

/**
 * Returns whether a close, or a mark as a duplicate, contradicts an outcome that said to work on the issue or asked about it. These
 * are the classes of the backtest: closing a question as not planned does not contradict it, because the answer may not have come.
 * A close or mark that was taken back does not count.
 */
function isContradicting(event: TimelineFact, { decided, timeline, issue }: ActFacts): boolean {
  const ours = ourOutcome(decided.detail);
  if (ours !== "worked-on" && ours !== "asked") return false;
  const lastOf = (...types: TimelineFact["type"][]): TimelineFact | undefined =>
    timeline.findLast(({ type }) => types.includes(type));
  if (event.type === "marked-as-duplicate")
    return lastOf("marked-as-duplicate", "unmarked-as-duplicate") === event;
  if (event.type !== "closed" || event.commit !== null || lastOf("closed", "reopened") !== event)
    return false;
  const reason = issue?.stateReason ?? null;
  return reason === "duplicate" || (reason === "not_planned" && ours === "worked-on");
}

/**
 * Returns the acts on our comment. Hiding or deleting somebody else's comment requires write access, and GitHub's REST API does
 * not always say who did it.
 */
function commentActs({ decided, comments, timeline, viewerId }: ActFacts): Act[] {
  const { commentId } = decided.detail;
  if (commentId === null || comments === null) return [];
  const ours = comments.find(({ id }) => id === commentId);
  if (ours?.isMinimised === true) {
    const source = ours.url;
    return [{ type: "overridden", how: "comment-minimised", to: null, at: ours.updatedAt, by: null, source }];
  }
  if (ours !== undefined) return [];
  const deleted = timeline.findLast((fact) => fact.type === "comment-deleted" && fact.actor?.id !== viewerId);
  if (deleted === undefined) return [];
  const source = `timeline: comment deleted at ${deleted.at}`;
  return [
    { type: "overridden", how: "comment-deleted", to: null, at: deleted.at, by: deleted.actor, source },
  ];
}

/**
 * Returns the act that a reaction is, if any. The program never reacts, so a reaction of its account is that of the person whose
 * account it uses.
 */
function reactionAct({ content, author, createdAt, of }: Reaction, { decided }: ActFacts): Act[] {
  if (of !== "comment" || author === null || author.isBot) return [];
  const base = {
    at: createdAt,
    by: author,
    source: `reaction ${content} to comment ${decided.detail.commentId}`,
  };
  if (AGAINST.has(content)) return [{ ...base, type: "overridden", how: "reaction", to: null }];
  return IN_FAVOUR.has(content) ? [{ ...base, type: "endorsed", how: "reaction" }] : [];
}

/**
 * Returns the act of a person who dismissed or approved the suggestion since the outcome; GitHub identifies people here only by
 * number. The suggestion of the state label decides. `needs-triage` is not suggested, because the issue had it before; then the
 * suggestion of the category decides.
 */
export function suggestionAct(
  suggestion: IssueSuggestion,
  { decided, viewerId, labels }: Pick<ActFacts, "decided" | "viewerId" | "labels">,
): Act[] {
  const { id, state, target, resolvedById, updatedAt } = suggestion;
  const role = roleOf(target ?? "", labels);
  if (role !== decided.detail.state && decided.detail.state !== "needs-triage") return [];
  const isByPerson = resolvedById !== null && resolvedById !== viewerId;
  if (!isByPerson || Date.parse(updatedAt) < decided.atMs) return [];
  const source = `suggestion ${id} of the label ${target ?? "?"}: ${state} by user ${resolvedById}`;
  const base = { at: updatedAt, by: null, source };
  if (state === "dismissed") return [{ ...base, type: "overridden", how: "suggestion-dismissed", to: null }];
  return state === "approved" ? [{ ...base, type: "endorsed", how: "suggestion-approved" }] : [];
}
