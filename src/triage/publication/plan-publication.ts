import type { CloseReason, Issue, IssueComment, IssueRef, TriageNotes } from "../../github/index.ts";
import type { LabelNames } from "../labels.ts";
import { issueCategories, triageStates } from "../outcome.ts";
import { type Decision, labelOf, type PublicationTarget } from "../policy/index.ts";
import { publicationTarget } from "./publication-target.ts";

export type PublicationStep =
  | { type: "publish-comment"; body: string }
  | { type: "add-label"; label: string }
  | { type: "remove-label"; label: string }
  | { type: "close"; reason: CloseReason };

/** The remaining writes, in the only order that allows a repair after a crash, and the state that must hold afterwards. */
export interface PublicationPlan {
  ref: IssueRef;
  /** Empty when GitHub already shows the target. */
  steps: PublicationStep[];
  target: PublicationTarget;
  labelNames: LabelNames;
}

export interface PublicationRequest {
  ref: IssueRef;
  labelsNow: readonly string[];
  state: Issue["state"];
  decision: PublicationTarget;
  comment: { type: "to-publish"; body: string } | { type: "published"; id: number } | { type: "none" };
  labelNames: LabelNames;
}

/**
 * Returns the plan of a publication: first the comment, then the labels one by one, and the close last (policy 7). Labels without
 * a role are never changed.
 */
export function planPublication(request: PublicationRequest): PublicationPlan {
  const { ref, labelsNow, state, decision, comment, labelNames } = request;
  const { category, close, labels } = decision;
  const steps: PublicationStep[] = [];
  if (comment.type === "to-publish") steps.push({ type: "publish-comment", body: comment.body });
  if (labels === "set" && decision.state !== null)
    steps.push(...labelSteps(labelsNow, { ...decision, state: decision.state }, labelNames));
  if (close !== null && state === "open") steps.push({ type: "close", reason: close });
  const target = { state: decision.state, category, close, labels };
  return { ref, steps, target, labelNames };
}

/** Returns the plan for the rest of a publication that was interrupted after its comment. It never contains a second comment. */
export function planRepair(notes: TriageNotes, issue: Issue, labelNames: LabelNames): PublicationPlan {
  return planRest(publicationTarget(notes), notes.comment, issue, labelNames);
}

/** Returns the plan for the rest of a publication whose comment exists. */
export function planRest(
  target: PublicationTarget,
  comment: Pick<IssueComment, "id">,
  issue: Issue,
  labelNames: LabelNames,
): PublicationPlan {
  // A person who reopened the issue has rejected the close, so it is not repeated.
  const isReopened = issue.state === "open" && issue.stateReason === "reopened";
  return planPublication({
    ref: issue.ref,
    labelsNow: issue.labels,
    state: issue.state,
    decision: isReopened ? { ...target, close: null } : target,
    comment: { type: "published", id: comment.id },
    labelNames,
  });
}

/**
 * Returns the label steps. Additions come first, so that the issue always has a state role. The labels that bring an issue into a
 * batch are removed last: as long as one is present, the next batch finds the issue and completes the rest.
 */
function labelSteps(
  labelsNow: readonly string[],
  { state, category }: Pick<Decision, "state" | "category">,
  names: LabelNames,
): PublicationStep[] {
  const wanted = category === null ? [state] : [state, category];
  const unwanted = [
    ...(category === null ? [] : issueCategories.filter((role) => role !== category)),
    ...triageStates.filter((role) => role !== state && !isSelecting(role)),
    ...triageStates.filter((role) => role !== state && isSelecting(role)),
  ];
  const kept = new Set(wanted.map((role) => names[role]));
  return [
    ...wanted
      .filter((role) => labelOf(role, labelsNow, names) === null)
      .map((role): PublicationStep => ({ type: "add-label", label: names[role] })),
    ...unwanted
      .filter((role) => !kept.has(names[role]))
      .map((role) => labelOf(role, labelsNow, names))
      .filter((label) => label !== null)
      .map((label): PublicationStep => ({ type: "remove-label", label })),
  ];
}

function isSelecting(role: string): boolean {
  return role === "needs-triage" || role === "needs-info";
}
