import { COMMENT_MAX_CHARACTERS, type Issue, renderTriageNotes } from "../../github/index.ts";
import type { Decision } from "../policy/index.ts";
import { markerExtra } from "../publication/index.ts";
import { fillTemplate, readTemplate } from "../templates/index.ts";
import { commentValues } from "./comment-values.ts";
import { ForeignText, type TextBudget } from "./foreign-text.ts";

export interface CommentContext {
  issue: Issue;
  /** Compact UTC, `YYYYMMDDTHHMMSSZ`. */
  runId: string;
  /** Signs the marker; null leaves it unsigned. */
  markerKey: string | null;
  /** Where people find the recording of the parent's own Session; null when there is none. */
  recording: string | null;
}

/** The whole comment: disclaimer, marker, body. Never longer than GitHub takes: long texts are cut, with a notice. */
export function renderComment(decision: Decision, context: CommentContext): string {
  const { issue, runId, markerKey } = context;
  for (const budget of BUDGETS) {
    const comment = renderTriageNotes({
      repo: issue.ref.repo,
      issue: issue.ref.number,
      outcome: decision.state,
      run: runId,
      extra: markerExtra(decision, issue),
      body: renderBody(decision, context, budget),
      secret: markerKey ?? undefined,
    });
    if (comment.length <= COMMENT_MAX_CHARACTERS) return comment;
  }
  throw new Error(`the comment for issue ${issue.ref.number} does not fit, even at its smallest`);
}

/** Tried from generous to terse. The last one fits whatever the schema lets through, even when escaping doubles it. */
const BUDGETS: readonly TextBudget[] = [
  { textChars: 8_000, codeChars: 8_000, listItems: 20 },
  { textChars: 2_000, codeChars: 4_000, listItems: 20 },
  { textChars: 1_000, codeChars: 2_000, listItems: 10 },
  { textChars: 200, codeChars: 500, listItems: 5 },
];

function renderBody(decision: Decision, context: CommentContext, budget: TextBudget): string {
  const text = new ForeignText(context.issue, budget);
  const template = readTemplate(`comments/${decision.comment.template}.md`);
  return fillTemplate(template, commentValues(decision, context, text));
}
