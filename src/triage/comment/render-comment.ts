import { COMMENT_MAX_CHARACTERS, type Issue, renderTriageNotes } from "../../github/index.ts";
import type { Decision, PublicationTarget } from "../policy/index.ts";
import { fillTemplate } from "../template.ts";
import { readTemplate } from "../package-folder.ts";
import type { DeniedRequests } from "../denied-requests.ts";
import { commentValues } from "./comment-values.ts";
import { withDenied } from "./render-denied.ts";
import { markerRecord } from "./marker-record.ts";
import { ForeignText, type TextBudget } from "./foreign-text.ts";
import type { KeptFile } from "./kept-file.ts";

export interface CommentContext {
  issue: Issue;
  /** Compact UTC, `YYYYMMDDTHHMMSSZ`. */
  runId: string;
  /** Signs the marker; null leaves it unsigned. */
  markerKey: string | null;
  /** The recording of the parent's own Session; null when there is none. */
  recording: KeptFile | null;
  /** The requests of the Triage Agent that an Agent Firewall denied; absent or null: none. */
  denied?: DeniedRequests | null;
}

/** The outcome that the comment proposes but does not apply (E4). */
export interface Proposed {
  target: PublicationTarget;
  /** The labels that the outcome would set, by their names in the repository. */
  labels: readonly string[];
}

/**
 * Returns the whole comment: disclaimer, marker, the proposal if there is one, and body. It is never longer than GitHub's limit:
 * long texts are cut, with a notice.
 */
export function renderComment(
  decision: Decision,
  context: CommentContext,
  proposed: Proposed | null = null,
): string {
  for (const budget of BUDGETS) {
    const text = new ForeignText(budget);
    const body = renderBody(decision, context, text);
    const told = proposed === null ? body : `${proposalText(proposed, text)}\n\n${body}`;
    const comment = frame(decision, context, told, proposed?.target ?? null);
    if (comment.length <= COMMENT_MAX_CHARACTERS) return comment;
  }
  throw new Error(`the comment for issue ${context.issue.ref.number} does not fit, even at its smallest`);
}

/**
 * Tried from the largest to the smallest. The last one fits any outcome that the schema accepts, even when escaping doubles its
 * length.
 */
const BUDGETS: readonly TextBudget[] = [
  { textChars: 8_000, codeChars: 8_000, listItems: 20 },
  { textChars: 2_000, codeChars: 4_000, listItems: 20 },
  { textChars: 500, codeChars: 2_000, listItems: 10 },
  { textChars: 200, codeChars: 500, listItems: 5 },
];

function renderBody(decision: Decision, context: CommentContext, text: ForeignText): string {
  const template = readTemplate(`comments/${decision.comment.template}.md`);
  const values = commentValues(decision, context, text);
  return fillTemplate(template, withDenied(values, decision, context.denied ?? null, text));
}

function proposalText({ target, labels }: Proposed, text: ForeignText): string {
  return fillTemplate(readTemplate("proposal.md"), {
    labels: labels.map((label) => text.span(label)).join(" and "),
    close: target.close === null ? "" : target.close.replace("_", " "),
  }).trim();
}

function frame(
  decision: Decision,
  { issue, runId, markerKey }: CommentContext,
  body: string,
  proposed: PublicationTarget | null,
): string {
  return renderTriageNotes({
    repo: issue.ref.repo,
    issue: issue.ref.number,
    outcome: decision.state,
    run: runId,
    extra: markerRecord(decision, issue, proposed),
    body,
    secret: markerKey ?? undefined,
  });
}
