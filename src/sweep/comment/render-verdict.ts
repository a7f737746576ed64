import {
  COMMENT_MAX_CHARACTERS,
  EMPTY_MARKDOWN,
  joinMarkdown,
  type Markdown,
  ourMarkdown,
  renderTriageNotes,
  reporterMention,
  SWEPT,
} from "../../github/index.ts";
import {
  type CommentContext,
  fillTemplate,
  ForeignText,
  readTemplate,
  renderKeptFile,
  type TextBudget,
} from "../../triage/index.ts";
import type { SweptIssue } from "../swept/index.ts";
import { shortHash } from "../due/index.ts";
import type { Verdict } from "../verdict/index.ts";
import { openingOf } from "./opening.ts";

export interface VerdictComment {
  swept: SweptIssue;
  /** The time after which the issue may be closed, ISO 8601; null: no close is proposed. */
  closeAfter: string | null;
}

/**
 * Returns the whole comment on a verdict: disclaimer, marker, and a body whose first line is the evidence. It is never longer
 * than GitHub allows.
 */
export function renderVerdict(comment: VerdictComment, context: CommentContext): string {
  for (const budget of BUDGETS) {
    const body = renderBody(comment, context, new ForeignText(budget));
    const text = frame(comment, context, body);
    if (text.length <= COMMENT_MAX_CHARACTERS) return text;
  }
  throw new Error(`the verdict on issue ${context.issue.ref.number} does not fit into a comment`);
}

/** The limits of texts, from generous to terse. */
const BUDGETS: readonly TextBudget[] = [
  { textChars: 1_000, codeChars: 8_000, listItems: 10 },
  { textChars: 300, codeChars: 1_000, listItems: 5 },
];

function renderBody(
  { swept, closeAfter }: VerdictComment,
  context: CommentContext,
  text: ForeignText,
): string {
  const { verdict } = swept;
  return fillTemplate(readTemplate(`sweep/${templateOf(verdict)}.md`), {
    opening: openingOf(swept, text),
    reporter: reporterMention(context.issue.author),
    proposal: closeAfter === null ? NO_PROPOSAL : proposal(closeAfter),
    details: details(swept, context, text),
  });
}

function templateOf({ type }: Verdict): string {
  if (type === "withheld") throw new Error("nothing is said about a vulnerability report");
  return type;
}

const NO_PROPOSAL = ourMarkdown`If this is fixed for you, please close the issue; otherwise please reply.`;

function proposal(closeAfter: string): Markdown {
  const day = closeAfter.slice(0, 10) as Markdown;
  return ourMarkdown`This will be closed after ${day} unless somebody replies, or reacts to this comment, before then.`;
}

/**
 * Returns the sentence about how the bug shows. If a claim has an exit code and a text, both have to match. The text follows the
 * sentence.
 */
function claimSentence(exitCode: number | null, hasText: boolean): Markdown {
  if (exitCode === null) return ourMarkdown`A run shows the problem when it prints this text:`;
  return hasText
    ? ourMarkdown`A run shows the problem when it exits with ${exitCode} and prints this text:`
    : ourMarkdown`A run shows the problem when it exits with ${exitCode}.`;
}

function details(
  { reproduction, evidence }: SweptIssue,
  { recording }: CommentContext,
  text: ForeignText,
): Markdown {
  if (reproduction === null) return EMPTY_MARKDOWN;
  const { exitCode, outputContains } = reproduction.expect;
  const blocks = [
    ourMarkdown`<details><summary>What was run</summary>`,
    text.code(reproduction.script, "sh"),
    claimSentence(exitCode, outputContains !== null),
    ...(outputContains === null ? [] : [text.code(outputContains, "text")]),
    ...(evidence === null
      ? []
      : [ourMarkdown`Control runs that show it too: ${text.span(evidence.controls)}.`]),
    ...(recording === null ? [] : [ourMarkdown`Recording: ${renderKeptFile(recording)}.`]),
    ourMarkdown`</details>`,
  ];
  return joinMarkdown(blocks, "\n\n");
}

function frame(
  { swept, closeAfter }: VerdictComment,
  { issue, runId, markerKey }: CommentContext,
  body: string,
): string {
  return renderTriageNotes({
    repo: issue.ref.repo,
    issue: issue.ref.number,
    outcome: SWEPT,
    run: runId,
    extra: {
      verdict: swept.verdict.type,
      seen: shortHash(swept.seen),
      ...(closeAfter === null ? {} : { "close-after": closeAfter }),
    },
    body,
    secret: markerKey ?? undefined,
  });
}
