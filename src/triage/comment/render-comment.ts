import { COMMENT_MAX_CHARACTERS, type Issue, renderTriageNotes } from "../../github/index.ts";
import type { Decision } from "../policy/index.ts";
import { fillTemplate, readTemplate } from "../templates/index.ts";
import { commentValues } from "./comment-values.ts";
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
}

/** The whole comment: disclaimer, marker, body. Never longer than GitHub takes: long texts are cut, with a notice. */
export function renderComment(decision: Decision, context: CommentContext): string {
  for (const budget of BUDGETS) {
    const comment = frame(decision, context, renderBody(decision, context, new ForeignText(budget)));
    if (comment.length <= COMMENT_MAX_CHARACTERS) return comment;
  }
  throw new Error(`the comment for issue ${context.issue.ref.number} does not fit, even at its smallest`);
}

/** Tried from generous to terse. The last one fits whatever the schema lets through, even when escaping doubles it. */
const BUDGETS: readonly TextBudget[] = [
  { textChars: 8_000, codeChars: 8_000, listItems: 20 },
  { textChars: 2_000, codeChars: 4_000, listItems: 20 },
  { textChars: 500, codeChars: 2_000, listItems: 10 },
  { textChars: 200, codeChars: 500, listItems: 5 },
];

function renderBody(decision: Decision, context: CommentContext, text: ForeignText): string {
  const template = readTemplate(`comments/${decision.comment.template}.md`);
  return fillTemplate(template, commentValues(decision, context, text));
}

function frame(decision: Decision, { issue, runId, markerKey }: CommentContext, body: string): string {
  return renderTriageNotes({
    repo: issue.ref.repo,
    issue: issue.ref.number,
    outcome: decision.state,
    run: runId,
    extra: markerRecord(decision, issue),
    body,
    secret: markerKey ?? undefined,
  });
}
