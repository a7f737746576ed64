import { dirname } from "node:path";
import { type CommentContext, type Proposed, renderComment, withoutDirectory } from "../comment/index.ts";
import type { Decision, PublicationTarget } from "../policy/index.ts";
import type { BatchContext } from "./batch-context.ts";
import type { AssessedIssue } from "./candidate.ts";

/** The comment, labels and state to publish for one issue. */
export interface Publishable {
  /** The marker by which the comment is found again. */
  kind: "triage" | "sweep";
  target: PublicationTarget;
  /** The policy rules that shaped it, as stable codes for the summary. */
  policy: readonly string[];
  /** Renders the whole comment with its marker; null: no comment is published. */
  render: ((context: CommentContext, proposed: Proposed | null) => string) | null;
  /**
   * Called when the publication has its turn and has read the issue again. Returns why nothing is published after all, as a stable
   * code; null: it is published. Absent: nothing can speak against it but a change of the issue.
   */
  withdrawal?: (
    seen: Pick<AssessedIssue, "issue" | "comments">,
    signal: AbortSignal,
  ) => Promise<string | null>;
}

/** Returns a decision of the triage policy as a publishable. */
export function publishableDecision(decision: Decision, { ports }: Pick<BatchContext, "ports">): Publishable {
  const home = dirname(ports.runsDirectory);
  const { state, category, close, labels, canonical, policy } = decision;
  return {
    kind: "triage",
    target: { state, category, close, labels, ...(canonical === undefined ? {} : { canonical }) },
    policy,
    render: (context, proposed) => renderComment(withoutDirectory(decision, home), context, proposed),
  };
}
