import type { Checkout, ExportedName, ScopeNote } from "./checkout.ts";
import type { IssueFile } from "./issue-file.ts";
import type { ReportedCode } from "./reported-code.ts";
import type { ScriptRun } from "./reproduction-runs.ts";
import type { ReproductionScript } from "./reproduction-script.ts";
import { sentences, sharedCount, withoutFences, wordStems } from "./words.ts";

/** Everything on which the outcome is based. */
export interface Findings {
  issue: IssueFile;
  checkout: Checkout;
  /** Exported names that the reporter mentions. */
  mentioned: ExportedName[];
  /** The reporter's commands that were not run. */
  refused: string[];
  attempt: Attempt;
  nodeVersion: string;
  platform: string;
}

export type Attempt =
  /** The reporter gave no code that could be run. */
  { type: "none" } | { type: "ran"; code: ReportedCode; script: ReproductionScript; runs: ScriptRun[] };

/** Returns the exported names of the checkout that occur as words in the issue's title, body or comments. */
export function mentionedExports(issue: IssueFile, checkout: Checkout): ExportedName[] {
  const words = new Set(wholeText(issue).match(/[A-Za-z_$][\w$]*/g) ?? []);
  return checkout.exports.filter(({ name }) => words.has(name));
}

const BUG_WORDS = [
  "actual",
  "expected",
  "wrong",
  "broken",
  "fail",
  "error",
  "crash",
  "regression",
  "stack trace",
];
const ENHANCEMENT_WORDS = [
  "feature request",
  "would be nice",
  "would be great",
  "would like",
  "support",
  "add ",
  "option",
];

/** Returns the category from a maintainer's label, or else from the words of the report. */
export function categoryOf(issue: IssueFile): "bug" | "enhancement" {
  const isBug = issue.labels.includes("bug");
  if (isBug !== issue.labels.includes("enhancement")) return isBug ? "bug" : "enhancement";
  const text = wholeText(issue).toLowerCase();
  const count = (words: readonly string[]) => words.filter((word) => text.includes(word)).length;
  const bugWords = count(BUG_WORDS);
  return bugWords > 0 && bugWords >= count(ENHANCEMENT_WORDS) ? "bug" : "enhancement";
}

const INTENTION = /\b(?:by design|on purpose|intended|intentionally|deliberately)\b/i;

/** Returns a sentence of the README that calls the reported behaviour intended; null if there is none. */
export function documentedIntention({ issue, checkout, mentioned }: Findings): string | null {
  const complaint = wordStems(withoutFences(wholeText(issue)));
  const sections = checkout.readme.filter(({ heading }) =>
    mentioned.some(({ name }) => heading.includes(name)),
  );
  return (
    sections
      .flatMap(({ text }) => sentences(text))
      .filter((sentence) => INTENTION.test(sentence))
      .find((sentence) => statesSame(sentence, complaint)) ?? null
  );
}

/** Returns whether most content words of the clause that names the intention are in the complaint. */
function statesSame(sentence: string, complaint: ReadonlySet<string>): boolean {
  const clause = sentence.split(/[,:;]/).find((part) => INTENTION.test(part)) ?? sentence;
  const wanted = wordStems(clause.replace(INTENTION, ""));
  const shared = sharedCount(wanted, complaint);
  return shared >= 3 && shared >= 0.6 * wanted.size;
}

/**
 * Returns the note that rules this request out; null if there is none. At least two of its title's words, and three quarters of
 * them, must appear.
 */
export function matchingScopeNote({ issue, checkout }: Findings): ScopeNote | null {
  const request = wordStems(wholeText(issue));
  return (
    checkout.scopeNotes.find(({ title }) => {
      const wanted = wordStems(title);
      const shared = sharedCount(wanted, request);
      return shared >= 2 && shared >= 0.75 * wanted.size;
    }) ?? null
  );
}

/** Returns the list items below a heading about acceptance, or task list items anywhere. */
export function acceptancePoints(issue: IssueFile): string[] {
  const points: string[] = [];
  let isInside = false;
  for (const line of withoutFences(issue.body).split("\n")) {
    if (/^#{1,6} |^\*\*.*\*\*:?$/.test(line)) isInside = /accept|criteria|requirement/i.test(line);
    const [, task, text = ""] = /^\s*[-*] (\[[ xX]\] )?(.+)$/.exec(line) ?? [];
    if (text !== "" && (isInside || task !== undefined)) points.push(text.trim());
  }
  return points;
}

const TRADE_OFF =
  /\bbreaking\b|\btrade-?offs?\b|\bnot sure\b|\beither\b[^.!?]*\bor\b|\bwould you prefer\b|\bshould\b[^.!]*\?$/i;

/** Returns the sentences that leave a decision to the maintainers. */
export function openDecisions(issue: IssueFile): string[] {
  return sentences(issue.body).filter((sentence) => TRADE_OFF.test(sentence));
}

function wholeText(issue: IssueFile): string {
  const replies = issue.comments.filter((comment) => comment.isReporter).map((comment) => comment.body);
  return [issue.title, issue.body, ...replies].join("\n\n");
}
