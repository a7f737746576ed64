import type { GithubSuggestions, GithubWriter, IssueRef } from "../../github/index.ts";
import type { UndoStep } from "../plan-undo.ts";
import type { PublicationPorts } from "./apply-publication.ts";

/** Reverts a batch's writes one by one, and records each step before and after it. Steps are idempotent. */
export async function applyUndo(
  ref: IssueRef,
  steps: readonly UndoStep[],
  { writer, suggestions, record }: Pick<PublicationPorts, "writer" | "record"> & Suggesting,
  signal: AbortSignal,
): Promise<void> {
  for (const step of steps) {
    signal.throwIfAborted();
    await record({ type: "intended", write: step });
    if (step.type === "dismiss-suggestion") await suggestions?.dismiss(ref, step.id, signal);
    else await applyStep(ref, step, writer, signal);
    await record({ type: "done", write: step });
  }
}

interface Suggesting {
  suggestions: GithubSuggestions | undefined;
}

function applyStep(
  ref: IssueRef,
  step: Exclude<UndoStep, { type: "dismiss-suggestion" }>,
  writer: GithubWriter,
  signal: AbortSignal,
): Promise<void> {
  switch (step.type) {
    case "delete-comment":
      return writer.deleteComment(ref, step.commentId, signal);
    case "reopen":
      return writer.reopenIssue(ref, signal);
    case "add-label":
      return writer.addLabels(ref, [step.label], signal);
    case "remove-label":
      return writer.removeLabel(ref, step.label, signal);
  }
}
