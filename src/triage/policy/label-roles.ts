import { foldLabel, type LabelNames } from "../labels.ts";
import { issueCategories, type IssueCategory, type TriageState, triageStates } from "../outcome.ts";

/** Returns the label of `role` as the issue spells it; null when the issue does not have it. */
export function labelOf(
  role: IssueCategory | TriageState,
  labels: readonly string[],
  names: LabelNames,
): string | null {
  return labels.find((label) => isSameLabel(label, names[role])) ?? null;
}

/** Returns the categories that an issue's labels mean; upper and lower case do not matter. */
export function categoryRoles(labels: readonly string[], names: LabelNames): IssueCategory[] {
  return issueCategories.filter((role) => labelOf(role, labels, names) !== null);
}

/** Returns the triage states that an issue's labels mean; upper and lower case do not matter. */
export function stateRoles(labels: readonly string[], names: LabelNames): TriageState[] {
  return triageStates.filter((role) => labelOf(role, labels, names) !== null);
}

/** Returns the role of a label; null for a label without a role. */
export function roleOf(label: string, names: LabelNames): IssueCategory | TriageState | null {
  return [...issueCategories, ...triageStates].find((role) => isSameLabel(label, names[role])) ?? null;
}

/** The labels that contradict each other, as the issue spells them. */
export interface LabelConflict {
  categories: string[];
  states: string[];
}

/**
 * Returns the conflict of an issue that has several category roles or several state roles before triage (policy 4). null: there
 * is no conflict.
 */
export function conflictingLabels(labels: readonly string[], names: LabelNames): LabelConflict | null {
  const spelled = (roles: readonly (IssueCategory | TriageState)[]): string[] =>
    roles.length < 2 ? [] : roles.map((role) => labelOf(role, labels, names) ?? names[role]);
  const conflict = {
    categories: spelled(categoryRoles(labels, names)),
    states: spelled(stateRoles(labels, names)),
  };
  return conflict.categories.length + conflict.states.length === 0 ? null : conflict;
}

function isSameLabel(one: string, other: string): boolean {
  return foldLabel(one) === foldLabel(other);
}
