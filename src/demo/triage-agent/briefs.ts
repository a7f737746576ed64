import type { Brief } from "../../triage/index.ts";
import type { ExportedName } from "./checkout.ts";
import type { Findings } from "./findings.ts";
import { clip, oneLine } from "./inert-text.ts";
import { asCode, outputExcerpt, shownCount } from "./reproduction-record.ts";
import { withoutFences } from "./words.ts";

/** Returns the brief for a bug that was shown: the code, what the README promises, and how to check that it is fixed. */
export function bugBrief(findings: Findings): Brief {
  const { attempt, mentioned } = findings;
  const runs = attempt.type === "ran" ? attempt.runs.length : 0;
  const shown = shownCount(attempt);
  const expected = attempt.type === "ran" ? attempt.code.expected.text : "";
  const flaky = shown < runs ? "The bug does not show in every run. " : "";
  const promise = documentedPromise(findings);
  return {
    currentBehavior: clip(`${flaky}The reporter's code printed:\n\n${asCode(outputExcerpt(attempt))}`, 6_000),
    desiredBehavior: clip(
      [expected === "" ? "" : `The reporter expects: ${expected}`, promise].filter(Boolean).join("\n\n") ||
        "The reporter's code runs without an error.",
      6_000,
    ),
    keyInterfaces: interfaces(mentioned),
    acceptanceCriteria: [
      shown < runs
        ? "The reproduction script exits 0 in at least ten runs in a row."
        : "The reproduction script exits 0.",
      ...testCriterion(findings),
      "The existing tests pass.",
    ],
    outOfScope: ["Any other change of documented behaviour."],
  };
}

/** Returns the brief for a request with acceptance points, which become the brief. */
export function agentBrief(findings: Findings, points: readonly string[]): Brief {
  return {
    currentBehavior:
      documentedPromise(findings) || "The code has nothing of the kind; see the report for what is missing.",
    desiredBehavior: clip(oneLine(findings.issue.title, 500), 1_000),
    keyInterfaces: interfaces(findings.mentioned),
    acceptanceCriteria: [
      ...points.slice(0, 15).map((point) => oneLine(point, 1_000)),
      ...testCriterion(findings),
      "The existing tests pass.",
    ],
    outOfScope: findings.checkout.scopeNotes.slice(0, 5).map(({ title }) => oneLine(title, 500)),
  };
}

/** Returns the brief for a request about which a maintainer has to decide first. */
export function decisionBrief(findings: Findings, decisions: readonly string[]): Brief {
  return {
    currentBehavior: documentedPromise(findings) || "The code has nothing of the kind.",
    desiredBehavior: clip(oneLine(findings.issue.title, 500), 1_000),
    keyInterfaces: interfaces(findings.mentioned),
    acceptanceCriteria: decisions
      .slice(0, 10)
      .map((decision) => oneLine(`A maintainer decides: "${decision}"`, 1_000)),
    outOfScope: ["Any change before the decision is made."],
  };
}

function interfaces(mentioned: readonly ExportedName[]): string[] {
  return mentioned.slice(0, 10).map(({ name, file }) => `\`${name}\` in \`${file}\``);
}

function testCriterion({ checkout, mentioned }: Findings): string[] {
  const [first] = mentioned;
  const stem = first?.file.replace(/^.*\//, "").replace(/\.[^.]+$/, "");
  const file = stem === undefined ? undefined : checkout.testFiles.find((path) => path.includes(`/${stem}.`));
  return file === undefined ? [] : [`A test in \`${file}\` fails without the change and passes with it.`];
}

/** Returns the first sentence of the README's section about something that the reporter mentions. */
function documentedPromise({ checkout, mentioned }: Findings): string {
  // The section named after the package only introduces it, and promises nothing about a single name.
  const names = mentioned.map(({ name }) => name).filter((name) => name !== checkout.packageName);
  const section = checkout.readme.find(({ heading }) => names.some((name) => isAbout(heading, name)));
  const [paragraph = ""] = withoutFences(section?.text ?? "")
    .trim()
    .split(/\n\s*\n/);
  return paragraph === "" ? "" : `The README says: ${oneLine(paragraph, 2_000)}`;
}

/**
 * Returns whether a heading is about a name, for `name`, `name(…)` and `Owner.name()`. A heading that has the name as one word
 * among others is about a wider subject.
 */
function isAbout(heading: string, name: string): boolean {
  const call = heading.replaceAll("`", "").trim();
  return call.replace(/\(.*$/, "").split(".").at(-1) === name;
}
