import type { IssueComment, IssueSuggestion, Person, Reaction, TimelineFact } from "../../../github/index.ts";
import type { TrustFactOf } from "../../../trust/index.ts";
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
  reporterId: number | null;
  /** Our own numeric user id. */
  viewerId: number;
  labels: LabelNames;
}

const AGAINST = new Set(["-1", "confused"]);
const IN_FAVOUR = new Set(["+1", "heart", "hooray", "rocket"]);

/**
 * E3: returns what people did to one of our outcomes, in order of time. Pure. A new state after the reporter's answer to a
 * question is progress and not an override. An act after another of our outcomes replaced this one belongs to the newer outcome.
 */
export function findActs(facts: ActFacts): Act[] {
  const { decided, timeline, viewerId } = facts;
  const byPeople = timeline.filter(
    ({ at, actor }) =>
      Date.parse(at) > decided.atMs && actor !== null && !actor.isBot && actor.id !== viewerId,
  );
  const onIssue = [
    ...byPeople.flatMap((event) => actOf(event, facts)),
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
  const { decided, timeline, reporterId } = facts;
  const reply = timeline.find(
    ({ type, actor, at }) =>
      type === "commented" &&
      actor?.id === reporterId &&
      Date.parse(at) > decided.atMs &&
      isBeforeReplaced(at, facts),
  );
  return reply === undefined ? null : Date.parse(reply.at);
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
  if (event.type !== "labeled") return [];
  const role = roleOf(event.label, labels);
  if (role === null || !(triageStates as readonly string[]).includes(role)) return [];
  const repliedMs = repliedAtMs(facts);
  const isProgress = state === "needs-info" && repliedMs !== null && Date.parse(event.at) > repliedMs;
  if (isProgress) return [];
  if (role !== state) return [{ ...base, type: "overridden", how: "label-changed", to: role }];
  return level === "apply" ? [] : [{ ...base, type: "endorsed", how: "same-label" }];
}

/** Hiding or deleting somebody else's comment requires write access, and GitHub's REST API does not always say who did it. */
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

function reactionAct({ content, author, createdAt, of }: Reaction, { decided, viewerId }: ActFacts): Act[] {
  if (of !== "comment" || author === null || author.isBot || author.id === viewerId) return [];
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
