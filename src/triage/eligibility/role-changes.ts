import type { IssueComment, LabelEvent } from "../../github/index.ts";
import type { LabelNames } from "../labels.ts";
import { issueCategories, type IssueCategory, type TriageState } from "../outcome.ts";
import { type PublicationTarget, roleOf } from "../policy/index.ts";

/**
 * Returns whether somebody has re-decided the roles after our comment: a role put on that its target does not ask for (needs-triage
 * again, say), or one taken off that it does. Judged by what happened, not by who did it: a maintainer's own token may
 * be the one this program runs with.
 */
export function areRolesChangedSince(
  { comment, target }: { comment: Pick<IssueComment, "createdAt">; target: PublicationTarget },
  events: readonly LabelEvent[],
  labels: LabelNames,
): boolean {
  const sinceMs = Date.parse(comment.createdAt);
  return events
    .filter((event) => Date.parse(event.createdAt) > sinceMs)
    .some((event) => {
      const role = roleOf(event.label, labels);
      return role !== null && !isOurs(event.action, role, target);
    });
}

/** Returns whether publishing the target could itself have caused the event. */
function isOurs(
  action: LabelEvent["action"],
  role: IssueCategory | TriageState,
  target: PublicationTarget,
): boolean {
  if (target.labels === "leave") return false;
  const isCategory = (issueCategories as readonly string[]).includes(role);
  // The notes name no category, so no category that a person chooses contradicts them.
  if (isCategory && target.category === null) return true;
  const isWanted = role === target.state || role === target.category;
  return action === "labeled" ? isWanted : !isWanted;
}
