import { type AlreadyFixed, describeRange, gradeLine } from "../../evidence/index.ts";
import {
  codeSpan,
  EMPTY_MARKDOWN,
  type Issue,
  joinMarkdown,
  ourMarkdown,
  type Markdown,
  reporterMention,
} from "../../github/index.ts";
import type { Brief } from "../outcome.ts";
import type {
  Decision,
  DuplicateFinding,
  Findings,
  LabelConflict,
  ReadyForHumanContent,
  Tried,
} from "../policy/index.ts";
import { fillTemplate } from "../template.ts";
import { readTemplate } from "../package-folder.ts";
import type { ForeignText } from "./foreign-text.ts";
import type { KeptFile } from "./kept-file.ts";
import { type FoldedText, renderEvidence, renderTried, testBlock } from "./render-runs.ts";

/** Values by placeholder. Every value is already Markdown: untrusted text is inserted only through `ForeignText` (S24). */
export type CommentValues = Readonly<Record<string, Markdown>>;

/** Returns the values for the template that the decision's comment names. */
export function commentValues(
  { comment, category }: Decision,
  { issue, recording }: { issue: Issue; recording: KeptFile | null },
  text: ForeignText,
): CommentValues {
  switch (comment.template) {
    case "needs-info":
      return {
        ...findingsValues(comment.findings, text),
        reporter: reporterMention(issue.author),
        ...triedValues(comment.tried, recording, text),
        questions: text.list(comment.questions, "numbers"),
        command: category === "bug" ? ENVIRONMENT_COMMAND : EMPTY_MARKDOWN,
      };
    case "ready-for-agent":
      return {
        ...findingsValues(comment.findings, text),
        ...briefValues(comment.brief, text),
        ...evidenceValues(
          comment.evidence === null ? null : renderEvidence(comment.evidence, recording, text),
        ),
      };
    case "ready-for-human":
      return readyForHumanValues(comment.why, recording, text);
    case "wontfix":
      return {
        ...findingsValues(comment.findings, text),
        reporter: reporterMention(issue.author),
        reason: text.prose(comment.reason),
      };
    case "duplicate":
      return { ...findingsValues(comment.findings, text), reporter: reporterMention(issue.author) };
    case "needs-triage":
      return {
        ...(comment.findings === null ? noFindings : findingsValues(comment.findings, text)),
        problem: text.prose(comment.problem),
        ...triedValues(comment.tried, recording, text),
        questions: text.list(comment.questions, "bullets"),
      };
    case "conflicting-labels":
      return { conflicts: conflictLines(comment.conflict, text) };
  }
}

function evidenceValues(evidence: FoldedText | null) {
  return {
    evidence: evidence?.line ?? EMPTY_MARKDOWN,
    "evidence-details": evidence?.details ?? EMPTY_MARKDOWN,
  };
}

function triedValues(tried: Tried | null, recording: KeptFile | null, text: ForeignText) {
  const folded = tried === null ? null : renderTried(tried, recording, text);
  return { tried: folded?.line ?? EMPTY_MARKDOWN, "tried-details": folded?.details ?? EMPTY_MARKDOWN };
}

/** A constant, because a command that people are asked to run must never come from a model. */
const ENVIRONMENT_COMMAND = ourMarkdown`\`\`\`sh
uname -srm; for tool in node npm python3 rustc java; do command -v "$tool" >/dev/null && echo "$tool: $("$tool" --version 2>&1 | head -n 1)"; done
\`\`\``;

const noFindings = { summary: EMPTY_MARKDOWN, established: EMPTY_MARKDOWN, duplicate: EMPTY_MARKDOWN };

function findingsValues({ summary, established, duplicate }: Findings, text: ForeignText): typeof noFindings {
  return {
    summary: text.prose(summary),
    established: text.list(established, "bullets"),
    duplicate: duplicate === null ? EMPTY_MARKDOWN : duplicateText(duplicate, text),
  };
}

/** Returns the paragraph about a duplicate. It says that the issue "is" a duplicate only with a proof (D2, D5). */
function duplicateText(finding: DuplicateFinding, text: ForeignText): Markdown {
  return joinMarkdown([duplicateLine(finding), text.list(finding.reasons, "bullets")], "\n\n");
}

function duplicateLine({ number, state, proof }: DuplicateFinding): Markdown {
  if (proof === null)
    return ourMarkdown`This may be a duplicate of #${number}. It was chosen from similar issues; this has not been verified.`;
  return state === "open"
    ? ourMarkdown`This is a duplicate of #${number}: the reproductions of both issues have the same cause.`
    : ourMarkdown`This is the same bug as #${number}, which is closed: the reproductions of both issues have the same cause, and the bug still shows.`;
}

function briefValues(brief: Brief, text: ForeignText): CommentValues {
  return {
    "current-behavior": text.prose(brief.currentBehavior),
    "desired-behavior": text.prose(brief.desiredBehavior),
    "key-interfaces": text.list(brief.keyInterfaces, "bullets"),
    "acceptance-criteria": text.list(brief.acceptanceCriteria, "tasks"),
    "out-of-scope": text.list(brief.outOfScope, "bullets"),
  };
}

function releasedIn({ firstFixed }: AlreadyFixed["range"], text: ForeignText): Markdown {
  if (firstFixed.type === "exact")
    return firstFixed.at.version === null
      ? ourMarkdown`The fix is not released yet.`
      : ourMarkdown`Version ${text.span(firstFixed.at.version)} has the fix.`;
  if (firstFixed.type === "interval" && firstFixed.upTo.version !== null)
    return ourMarkdown`Version ${text.span(firstFixed.upTo.version)} has the fix; an earlier version may have it, too.`;
  return ourMarkdown`It is not known which release has the fix.`;
}

function readyForHumanValues(
  why: ReadyForHumanContent["why"],
  recording: KeptFile | null,
  text: ForeignText,
): CommentValues {
  const nothing = {
    ...noFindings,
    brief: EMPTY_MARKDOWN,
    ...evidenceValues(null),
    reason: EMPTY_MARKDOWN,
    "proposed-path": EMPTY_MARKDOWN,
    "proposed-entry": EMPTY_MARKDOWN,
  };
  switch (why.type) {
    case "judgement":
      return {
        ...nothing,
        ...findingsValues(why.findings, text),
        opening: ourMarkdown`A maintainer needs to decide this.`,
        brief: why.brief === null ? EMPTY_MARKDOWN : renderBrief(why.brief, text),
      };
    case "proposed-wontfix": {
      const { reason, outOfScope } = why.wontfix;
      return {
        ...nothing,
        ...findingsValues(why.findings, text),
        opening: ourMarkdown`The triage program proposes to decline this. A maintainer decides; the issue stays open until then.`,
        reason: text.prose(reason),
        "proposed-path":
          outOfScope === null ? EMPTY_MARKDOWN : codeSpan(`.out-of-scope/${outOfScope.concept}.md`),
        "proposed-entry": outOfScope === null ? EMPTY_MARKDOWN : text.code(outOfScope.entry, "markdown"),
      };
    }
    case "already-fixed": {
      const { version, runs, range, grade } = why.fixed;
      const tried = renderTried(why.tried, recording, text);
      return {
        ...nothing,
        ...findingsValues(why.findings, text),
        opening: joinMarkdown(
          [
            ourMarkdown`The problem shows in version ${text.span(version)} (${runs} of ${runs} runs by the triage program) and no longer on the default branch. Evidence on that version: ${codeSpan(gradeLine(grade))}.`,
            releasedIn(range, text),
            ourMarkdown`A maintainer decides whether to close this.`,
          ],
          " ",
        ),
        ...evidenceValues({
          line: tried.line,
          details: joinMarkdown(
            [
              text.list(describeRange(range), "bullets"),
              ...(why.test === null ? [] : [testBlock(why.test, text)]),
              tried.details,
            ],
            "\n\n",
          ),
        }),
      };
    }
    case "security-report":
      return {
        ...nothing,
        opening: ourMarkdown`This looks like a security report, so a maintainer will handle it, and its details are not repeated here. Please do not add further details in public. Report them privately: use “Report a vulnerability” on the repository's Security tab, or follow its SECURITY.md.`,
      };
  }
}

function renderBrief(brief: Brief, text: ForeignText): Markdown {
  const filled = fillTemplate(readTemplate("comments/brief.md"), briefValues(brief, text));
  return filled.trim() as Markdown;
}

function conflictLines({ categories, states }: LabelConflict, text: ForeignText): Markdown {
  const spans = (labels: readonly string[]): Markdown =>
    joinMarkdown(
      labels.map((label) => text.span(label)),
      ", ",
    );
  return joinMarkdown(
    [
      ...(categories.length === 0 ? [] : [ourMarkdown`- Category: ${spans(categories)}`]),
      ...(states.length === 0 ? [] : [ourMarkdown`- State: ${spans(states)}`]),
    ],
    "\n",
  );
}
