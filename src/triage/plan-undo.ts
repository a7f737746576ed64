import { type Issue, type IssueComment, type IssueSuggestion, parseMarker } from "../github/index.ts";
import { type AuditEntry, type AuditWrite, bodyHashOf } from "./audit/index.ts";
import { foldLabel } from "./labels.ts";

export type UndoStep =
  | { type: "delete-comment"; commentId: number }
  | { type: "dismiss-suggestion"; id: number }
  | { type: "reopen" }
  | { type: "add-label"; label: string }
  | { type: "remove-label"; label: string };

export type UndoPlan =
  /** The batch wrote nothing to the issue, or everything is undone. */
  | { type: "nothing-to-undo" }
  /** Something has changed since, so an undo would overwrite another person's change. */
  | { type: "refused"; reason: UndoRefusal }
  | { type: "planned"; steps: readonly UndoStep[] };

export type UndoRefusal =
  | "commented-since"
  | "triaged-since"
  | "comment-edited"
  | "comment-deleted"
  | "labels-changed"
  | "reopened-since"
  | "closed-since";

export interface UndoFacts {
  runId: string;
  /** Our own numeric user id. */
  viewerId: number;
  /** The audit entries of this issue and batch, in order. */
  entries: readonly AuditEntry[];
  issue: Issue;
  comments: readonly IssueComment[];
  /** Our own suggestions that wait for an answer, if the batch made any. */
  suggestions: readonly IssueSuggestion[];
}

/** Returns whether the batch suggested labels for the issue to GitHub. */
export function hasSuggested(entries: readonly AuditEntry[]): boolean {
  return entries.some(({ fact }) => "write" in fact && fact.write.type === "suggest-labels");
}

/**
 * Returns the steps that revert one batch's writes to one issue, or a refusal when something has changed since (T10). The comment
 * is deleted first: as long as its marker exists, the next batch would repair what was just undone. Labels are added back before
 * any is removed.
 */
export function planUndo(facts: UndoFacts): UndoPlan {
  const history = readHistory(facts.entries);
  const dismissals = facts.suggestions.map(({ id }) => ({ type: "dismiss-suggestion", id }) as const);
  if (history.writes.length === 0)
    return dismissals.length === 0 ? { type: "nothing-to-undo" } : { type: "planned", steps: dismissals };
  const comment = ourComment(facts, history);
  const reason = changedSince(facts, history, comment);
  if (reason !== null) return { type: "refused", reason };
  const { issue } = facts;
  const steps: UndoStep[] = [
    ...dismissals,
    ...(comment === null ? [] : [{ type: "delete-comment", commentId: comment.id } as const]),
    ...(has(history, "close") && issue.state === "closed" ? [{ type: "reopen" } as const] : []),
    ...missingIn(issue.labels, history.before).map((label) => ({ type: "add-label", label }) as const),
    ...missingIn(history.before, issue.labels).map((label) => ({ type: "remove-label", label }) as const),
  ];
  return steps.length === 0 ? { type: "nothing-to-undo" } : { type: "planned", steps };
}

/** Returns the labels of `wanted` that are missing in `labels`, spelled as in `wanted`. */
function missingIn(labels: readonly string[], wanted: readonly string[]): string[] {
  const has = new Set(labels.map(foldLabel));
  return wanted.filter((label) => !has.has(foldLabel(label)));
}

interface History {
  /** The labels before the batch's first write. */
  before: readonly string[];
  /** Every write of the batch that may have happened, in order. */
  writes: readonly { write: AuditWrite; isDone: boolean }[];
  /** The comment that the batch published; null: it published none, or the answer was lost. */
  commentId: number | null;
  /** An undo of this issue has begun: parts may already be reverted. */
  isUndoBegun: boolean;
}

function readHistory(entries: readonly AuditEntry[]): History {
  const published = entries.filter(({ action }) => action === "publish").map(({ fact }) => fact);
  const decided = published.find((fact) => fact.type === "decided");
  return {
    before: decided?.labels ?? [],
    writes: writesOf(published),
    commentId: publishedComment(published),
    isUndoBegun: entries.some(({ action }) => action === "undo"),
  };
}

function publishedComment(facts: readonly AuditEntry["fact"][]): number | null {
  for (const fact of facts)
    if (fact.type === "done" && fact.write.type === "publish-comment") return fact.write.commentId;
  return null;
}

/**
 * Returns the writes of the batch. A write whose response was lost may be announced again. It counts once, and it is done if one
 * of its entries is `done`.
 */
function writesOf(facts: readonly AuditEntry["fact"][]): History["writes"] {
  const writes: { write: AuditWrite; isDone: boolean }[] = [];
  for (const fact of facts) {
    if (fact.type !== "intended" && fact.type !== "done") continue;
    // A suggestion changes no label and has its own undo step.
    if (fact.write.type === "suggest-labels") continue;
    const known = writes.find(({ write }) => isSameWrite(write, fact.write));
    if (known === undefined) writes.push({ write: fact.write, isDone: fact.type === "done" });
    else if (fact.type === "done") known.isDone = true;
  }
  return writes;
}

function isSameWrite(one: AuditWrite, other: AuditWrite): boolean {
  const label = (write: AuditWrite): string | null => ("label" in write ? write.label : null);
  return one.type === other.type && label(one) === label(other);
}

function has({ writes }: History, type: AuditWrite["type"]): boolean {
  return writes.some(({ write }) => write.type === type);
}

/**
 * Returns our comment, found by the recorded id, even if another account undoes what a GitHub App wrote. If the response was
 * lost, and the id with it, the comment is found by its marker.
 */
function ourComment({ comments, viewerId, runId, issue }: UndoFacts, history: History): IssueComment | null {
  if (!has(history, "publish-comment")) return null;
  const isOurs = ({ author, body }: IssueComment): boolean => {
    const marker = parseMarker(body);
    return author?.id === viewerId && marker?.run === runId && marker.issue === issue.ref.number;
  };
  return comments.find(({ id }) => id === history.commentId) ?? comments.find(isOurs) ?? null;
}

function changedSince(facts: UndoFacts, history: History, comment: IssueComment | null): UndoRefusal | null {
  const { issue, comments, viewerId, runId } = facts;
  const ours = new Set([viewerId, comment?.author?.id]);
  const commentId = comment?.id ?? history.commentId;
  const isLater = (one: IssueComment): boolean =>
    one.author !== null && ours.has(one.author.id) && isOfLaterRun(one, { id: commentId, runId });
  if (comments.some(isLater)) return "triaged-since";
  if (commentId !== null) {
    const since = comments.filter(({ id }) => id > commentId);
    if (since.some(({ author }) => author === null || !author.isBot)) return "commented-since";
  }
  if (comment !== null && !isAsPublished(comment, history)) return "comment-edited";
  // Our own undo deletes it first.
  if (comment === null && commentId !== null && !history.isUndoBegun) return "comment-deleted";
  if (!areLabelsExplained(issue.labels, history)) return "labels-changed";
  return stateChange(issue, history);
}

/**
 * Returns whether another run published the comment later. Ids are compared if both are known: GitHub assigns them in order,
 * while the name of a run depends on the clock of its machine.
 */
function isOfLaterRun({ body, id }: IssueComment, own: { id: number | null; runId: string }): boolean {
  const run = parseMarker(body)?.run;
  if (run === undefined || run === own.runId) return false;
  return own.id === null ? run > own.runId : id > own.id;
}

function isAsPublished(comment: IssueComment, { writes }: History): boolean {
  return writes.some(
    ({ write }) => write.type === "publish-comment" && write.bodyHash === bodyHashOf(comment.body),
  );
}

/**
 * Returns whether the labels are as the batch left them, with or without the writes whose result is unknown. After an interrupted
 * undo, any state between that and the original is accepted.
 */
function areLabelsExplained(labels: readonly string[], history: History): boolean {
  const now = labels.map(foldLabel);
  const before = history.before.map(foldLabel);
  const sure = labelsAfter(
    before,
    history.writes.filter(({ isDone }) => isDone),
  );
  const all = labelsAfter(before, history.writes);
  if (!history.isUndoBegun) return isSameSet(now, sure) || isSameSet(now, all);
  const ever = new Set([...before, ...all]);
  const always = before.filter((label) => all.has(label));
  return now.every((label) => ever.has(label)) && always.every((label) => now.includes(label));
}

function labelsAfter(before: readonly string[], writes: History["writes"]): Set<string> {
  const labels = new Set(before);
  for (const { write } of writes) {
    if (write.type === "add-label") labels.add(foldLabel(write.label));
    if (write.type === "remove-label") labels.delete(foldLabel(write.label));
  }
  return labels;
}

function isSameSet(now: readonly string[], then: ReadonlySet<string>): boolean {
  return now.length === then.size && now.every((label) => then.has(label));
}

function stateChange(issue: Issue, history: History): UndoRefusal | null {
  const close = history.writes.find(({ write }) => write.type === "close");
  if (close === undefined) return issue.state === "closed" ? "closed-since" : null;
  if (issue.state === "closed" && isOtherClose(close.write, issue.stateReason)) return "closed-since";
  const isReopened = issue.state === "open" && close.isDone && !history.isUndoBegun;
  return isReopened ? "reopened-since" : null;
}

/**
 * Returns whether a person closed the issue for another reason than we did. An older GitHub server does not know the reason
 * `duplicate`.
 */
function isOtherClose(write: AuditWrite, stateReason: string | null): boolean {
  if (write.type !== "close" || write.reason === "duplicate" || stateReason === null) return false;
  return stateReason !== write.reason;
}
