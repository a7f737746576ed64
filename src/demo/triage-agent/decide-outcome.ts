import type { Outcome } from "../../triage/index.ts";
import { agentBrief, bugBrief, decisionBrief } from "./briefs.ts";
import {
  acceptancePoints,
  categoryOf,
  documentedIntention,
  type Findings,
  matchingScopeNote,
  openDecisions,
} from "./findings.ts";
import { attemptQuestions, missingQuestions, openEndedQuestions } from "./questions.ts";
import { established, reproductionOf, shownCount } from "./reproduction-record.ts";
import type { ScriptRun } from "./reproduction-runs.ts";
import type { ScopeNote } from "./checkout.ts";
import { clip, oneLine } from "./inert-text.ts";
import type { IssueFile } from "./issue-file.ts";

/**
 * The rules of the demo's Triage Agent, in order. They contain nothing about particular issues.
 *
 * Bugs:
 * 1. The README calls the reported behaviour intended → wontfix, quoting it.
 * 2. The reporter's code shows the bug at least once → ready-for-agent, with script and brief.
 * 3. The bug never shows → needs-info: what was tried, and what would help.
 * 4. There is no code to run, but the report names something of this code → needs-info: what is missing.
 *
 * Enhancements:
 * 5. A note in `.out-of-scope/` rules it out → wontfix, with the note's entry brought up to date.
 * 6. The request leaves a decision open → ready-for-human, naming the decision.
 * 7. It has acceptance points → ready-for-agent, with a brief made of them.
 * 8. It names something of this code → needs-info: what it should do.
 *
 * Both: 9. None of these applies → low confidence, no questions: the issue stays needs-triage with notes.
 */
export function decideOutcome(findings: Findings): Outcome {
  return categoryOf(findings.issue) === "bug" ? decideBug(findings) : decideEnhancement(findings);
}

function decideBug(findings: Findings): Outcome {
  const { attempt, mentioned } = findings;
  const isShown = shownCount(attempt) > 0;
  const intention = attempt.type === "none" || isShown ? documentedIntention(findings) : null;
  if (intention !== null) {
    const reason = `The README documents this behaviour as intended: "${intention}"`;
    return outcome(findings, "bug", "wontfix", {
      summary: "The report describes documented, intended behaviour.",
      wontfix: { reason: clip(reason, 4_000), outOfScope: null },
    });
  }
  if (isShown) {
    return outcome(findings, "bug", "ready-for-agent", {
      summary: "Confirmed with the reporter's own code.",
      brief: bugBrief(findings),
    });
  }
  if (attempt.type === "ran") {
    return outcome(findings, "bug", "needs-info", {
      summary: absenceOf(attempt.runs),
      questions: attemptQuestions(findings),
    });
  }
  if (mentioned.length === 0) return nothingToHoldOnTo(findings, "bug");
  return outcome(findings, "bug", "needs-info", {
    summary: "The report has no code that could be run.",
    questions: missingQuestions(findings),
  });
}

function decideEnhancement(findings: Findings): Outcome {
  const note = matchingScopeNote(findings);
  if (note !== null) {
    return outcome(findings, "enhancement", "wontfix", {
      summary: oneLine(`The project has ruled this out: ${note.title}.`, 500),
      wontfix: {
        reason: `\`.out-of-scope/${note.concept}.md\` rules this out.`,
        outOfScope: { concept: note.concept, entry: proposedScopeEntry(note, findings.issue) },
      },
    });
  }
  const decisions = openDecisions(findings.issue);
  if (decisions.length > 0) {
    return outcome(findings, "enhancement", "ready-for-human", {
      summary: "The request is clear, but it leaves a product decision open.",
      brief: decisionBrief(findings, decisions),
    });
  }
  const points = acceptancePoints(findings.issue);
  if (points.length >= 2) {
    return outcome(findings, "enhancement", "ready-for-agent", {
      summary: `The request states ${points.length} acceptance points that can be tested.`,
      brief: agentBrief(findings, points),
    });
  }
  if (findings.mentioned.length === 0) return nothingToHoldOnTo(findings, "enhancement");
  return outcome(findings, "enhancement", "needs-info", {
    summary: "The request does not say what the result should be.",
    questions: openEndedQuestions,
  });
}

function nothingToHoldOnTo(findings: Findings, category: Outcome["category"]): Outcome {
  return outcome(findings, category, "needs-triage", {
    confidence: "low",
    summary: "The text names nothing of this code, so there is nothing to check and nothing precise to ask.",
  });
}

function outcome(
  findings: Findings,
  category: Outcome["category"],
  state: Outcome["outcome"],
  decided: Pick<Outcome, "summary"> &
    Partial<Pick<Outcome, "confidence" | "questions" | "brief" | "wontfix">>,
): Outcome {
  return {
    schema: "afk-triage/outcome@2",
    security: { level: "none", kind: null },
    issue: findings.issue.number,
    category,
    outcome: state,
    confidence: "high",
    established: established(findings, decided.brief !== undefined),
    questions: [],
    brief: null,
    reproduction: category === "bug" ? reproductionOf(findings) : null,
    wontfix: null,
    duplicateOf: null,
    ...decided,
  };
}

/**
 * Returns the sentence that says that the bug did not show. It contains no numbers, like every sentence that the comment shows
 * first, because only the parent's own runs count, and the parent adds their numbers.
 */
function absenceOf(runs: readonly ScriptRun[]): string {
  const [first] = runs;
  if (runs.every(({ result }) => result === "broken")) return "The code of the report could not be run here.";
  if (runs.length === 1 && first?.result === "timed-out")
    return "The code of the report did not end by itself.";
  return "The code of the report did not show the bug.";
}

const PRIOR_REQUESTS = "## Prior requests";

/** Returns the note with this request added to its list. */
function proposedScopeEntry(note: ScopeNote, issue: IssueFile): string {
  const request = `- #${issue.number}: "${oneLine(issue.title, 200)}"`;
  const text = clip(note.text.trim(), 6_000);
  return text.includes(PRIOR_REQUESTS)
    ? `${text}\n${request}\n`
    : `${text}\n\n${PRIOR_REQUESTS}\n\n${request}\n`;
}
