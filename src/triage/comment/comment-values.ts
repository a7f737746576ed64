import type { Issue } from "../../github/index.ts";
import type { Brief } from "../outcome.ts";
import type { Decision, Findings, LabelConflict, ReadyForHumanContent } from "../policy/index.ts";
import { fillTemplate, readTemplate, type TemplateValues } from "../templates/index.ts";
import type { ForeignText } from "./foreign-text.ts";
import { renderEvidence, renderTried } from "./render-runs.ts";

/** The values for the template that the decision's comment names. */
export function commentValues(
  { comment, category }: Decision,
  { issue, recording }: { issue: Issue; recording: string | null },
  text: ForeignText,
): TemplateValues {
  switch (comment.template) {
    case "needs-info":
      return {
        ...findingsValues(comment.findings, text),
        reporter: reporterMention(issue),
        tried: comment.tried === null ? "" : renderTried(comment.tried, recording, text),
        questions: text.list(comment.questions, "numbers"),
        command: category === "bug" ? ENVIRONMENT_COMMAND : "",
      };
    case "ready-for-agent":
      return {
        ...findingsValues(comment.findings, text),
        ...briefValues(comment.brief, text),
        evidence: comment.evidence === null ? "" : renderEvidence(comment.evidence, recording, text),
      };
    case "ready-for-human":
      return readyForHumanValues(comment.why, text);
    case "wontfix":
      return {
        ...findingsValues(comment.findings, text),
        reporter: reporterMention(issue),
        reason: text.prose(comment.reason),
      };
    case "needs-triage":
      return {
        ...(comment.findings === null ? noFindings : findingsValues(comment.findings, text)),
        problem: text.prose(comment.problem),
        tried: comment.tried === null ? "" : renderTried(comment.tried, recording, text),
        questions: text.list(comment.questions, "bullets"),
      };
    case "conflicting-labels":
      return { conflicts: conflictLines(comment.conflict, text) };
  }
}

/** Written here and nowhere else: a command that people are asked to run never comes from a model. */
const ENVIRONMENT_COMMAND = [
  "```sh",
  'uname -srm; for tool in node npm python3 rustc java; do command -v "$tool" >/dev/null && echo "$tool: $("$tool" --version 2>&1 | head -n 1)"; done',
  "```",
].join("\n");

const noFindings = { summary: "", established: "", duplicate: "" };

function findingsValues(
  { summary, established, duplicateOf }: Findings,
  text: ForeignText,
): typeof noFindings {
  return {
    summary: text.prose(summary),
    established: text.list(established, "bullets"),
    duplicate: duplicateOf === null ? "" : `This may be the same as #${duplicateOf}.`,
  };
}

function briefValues(brief: Brief, text: ForeignText): TemplateValues {
  return {
    "current-behavior": text.prose(brief.currentBehavior),
    "desired-behavior": text.prose(brief.desiredBehavior),
    "key-interfaces": text.list(brief.keyInterfaces, "bullets"),
    "acceptance-criteria": text.list(brief.acceptanceCriteria, "tasks"),
    "out-of-scope": text.list(brief.outOfScope, "bullets"),
  };
}

function readyForHumanValues(why: ReadyForHumanContent["why"], text: ForeignText): TemplateValues {
  const nothing = { ...noFindings, brief: "", reason: "", "proposed-path": "", "proposed-entry": "" };
  switch (why.type) {
    case "judgement":
      return {
        ...nothing,
        ...findingsValues(why.findings, text),
        opening: "This takes the judgement of a maintainer.",
        brief:
          why.brief === null
            ? ""
            : fillTemplate(readTemplate("comments/brief.md"), briefValues(why.brief, text)).trim(),
      };
    case "proposed-wontfix": {
      const { reason, outOfScope } = why.wontfix;
      return {
        ...nothing,
        ...findingsValues(why.findings, text),
        opening:
          "This looks like something to decline, which is for a maintainer to decide. It stays open until then.",
        reason: text.prose(reason),
        "proposed-path": outOfScope === null ? "" : `\`.out-of-scope/${outOfScope.concept}.md\``,
        "proposed-entry": outOfScope === null ? "" : text.code(outOfScope.entry, "markdown"),
      };
    }
    case "security-report":
      return {
        ...nothing,
        opening:
          "This reads like a security report, so it goes to a maintainer and nothing about it is repeated here. " +
          "Please add no further details in public: report them in private instead, through “Report a vulnerability” " +
          "on the repository's Security tab or as its SECURITY.md says.",
      };
  }
}

function conflictLines({ categories, states }: LabelConflict, text: ForeignText): string {
  const line = (kind: string, labels: readonly string[]): string[] =>
    labels.length === 0 ? [] : [`- ${kind}: ${labels.map((label) => text.span(label)).join(", ")}`];
  return [...line("Category", categories), ...line("State", states)].join("\n");
}

/** The one person a comment may notify. A login outside GitHub's alphabet is not one. */
function reporterMention({ author }: Issue): string {
  const isPerson = author !== null && !author.isBot && /^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/.test(author.login);
  return isPerson ? `, @${author.login}` : "";
}
