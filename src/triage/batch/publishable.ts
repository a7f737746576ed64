import { dirname } from "node:path";
import { type CommentContext, type Proposed, renderComment, withoutDirectory } from "../comment/index.ts";
import type { Decision, PublicationTarget } from "../policy/index.ts";
import type { BatchContext } from "./batch-context.ts";

/** The comment, labels and state to publish for one issue. */
export interface Publishable {
  /** The marker by which the comment is found again. */
  kind: "triage" | "sweep";
  target: PublicationTarget;
  /** The policy rules that shaped it, as stable codes for the summary. */
  policy: readonly string[];
  /** Renders the whole comment with its marker; null: no comment is published. */
  render: ((context: CommentContext, proposed: Proposed | null) => string) | null;
}

/** Converts a decision of the triage policy into a publishable. */
export function publishableDecision(decision: Decision, { ports }: Pick<BatchContext, "ports">): Publishable {
  const home = dirname(ports.runsDirectory);
  const { state, category, close, labels, policy } = decision;
  return {
    kind: "triage",
    target: { state, category, close, labels },
    policy,
    render: (context, proposed) => renderComment(withoutDirectory(decision, home), context, proposed),
  };
}
