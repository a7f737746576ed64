import type { Grade, RangeEnd, VersionOfProduct } from "../grade.ts";
import { CONTROL_KINDS } from "../run-record.ts";

/** The text for the first fixed version of a bug that still exists. */
const NEVER = "not yet";

/** The grade in the summary of a batch (`afk-triage/summary@1`): short texts, or null if there is nothing to report. */
export interface EvidenceSummary {
  verdict: Grade["verdict"];
  /** The number of real runs that show the claim, of all real runs: `3/3`. */
  runs: string;
  /** The number of controls that show the claim as well, of those that were run: `0/4`. */
  controls: string;
  place: Grade["place"];
  firstBad: string | null;
  firstFixed: string | null;
  /** The framework's name, and the regression test's results before and after the fix. */
  test: string | null;
}

/**
 * Returns the grade as short texts for comments, summaries and markers. Range and test are null if they were not searched for.
 */
export function evidenceSummary(grade: Grade): EvidenceSummary {
  const { verdict, runs, range, test, place } = grade;
  return {
    verdict,
    runs: `${runs.matched}/${runs.total}`,
    controls: controlsOf(grade),
    place,
    firstBad: range === null ? null : rangeEndText(range.firstBad),
    firstFixed: range === null ? null : rangeEndText(range.firstFixed),
    test: test === null ? null : testText(test),
  };
}

/** Returns the summary with a range and a regression test that were found after the verdict; null: not searched for. */
export function withFindings(
  summary: EvidenceSummary,
  { range, test }: Pick<Grade, "range" | "test">,
): EvidenceSummary {
  return {
    ...summary,
    firstBad: range === null ? null : rangeEndText(range.firstBad),
    firstFixed: range === null ? null : rangeEndText(range.firstFixed),
    test: test === null ? null : testText(test),
  };
}

/** Returns the grade for the marker of a comment: one value without spaces. */
export function evidenceMarker({ verdict, runs, controls, place }: EvidenceSummary): string {
  return [verdict, runs, controls, place].join(":");
}

/**
 * Returns the grade as one line for people. The line contains no markup, because versions and commits are restricted to safe
 * characters.
 */
export function gradeLine(
  evidence: Readonly<Omit<EvidenceSummary, "verdict">> & { verdict: string },
): string {
  const { verdict, runs, controls, place, firstBad, firstFixed, test } = evidence;
  const [shown = "0", made = "0"] = controls.split("/");
  return [
    `${verdict}: ${runs.replace("/", " of ")} runs`,
    made === "0" ? "no control runs" : `${shown} of ${made} control runs show it too`,
    place === "fresh"
      ? "in a separate environment"
      : "in the Triage Agent's own environment, which is weaker",
    ...(firstBad === null ? [] : [`first bad ${firstBad}`]),
    ...(firstFixed === null ? [] : [firstFixed === NEVER ? "not fixed yet" : `first fixed ${firstFixed}`]),
    ...(test === null ? [] : [`regression test: ${test}`]),
  ].join(", ");
}

function controlsOf({ controls }: Grade): string {
  const outcomes = CONTROL_KINDS.map((kind) => controls[kind]).filter(
    (outcome) => outcome !== "missing" && outcome !== "not-run",
  );
  const shown = outcomes.filter((outcome) => outcome === "shows-the-claim").length;
  return `${shown}/${outcomes.length}`;
}

function rangeEndText(end: RangeEnd): string | null {
  switch (end.type) {
    case "exact":
      return versionText(end.at);
    case "initial":
      return `${versionText(end.at)} or earlier`;
    case "interval":
      return `after ${versionText(end.after)}, up to ${versionText(end.upTo)}`;
    case "never":
      return NEVER;
    case "unknown":
      return null;
  }
}

/**
 * Matches a version that may be shown. Tags are untrusted text, so a tag with characters that no version has is replaced by its
 * commit.
 */
const VERSION = /^[A-Za-z0-9](?:[A-Za-z0-9.+-]{0,39})$/;
const COMMIT = /^[0-9a-f]{7,64}$/;

function versionText({ version, commit }: VersionOfProduct): string {
  if (version !== null && VERSION.test(version)) return version;
  return commit !== null && COMMIT.test(commit) ? commit.slice(0, 12) : "an unnamed version";
}

function testText({ framework, failsBefore, passesAfter }: NonNullable<Grade["test"]>): string {
  const name = VERSION.test(framework.replaceAll(/[ :]/g, "-")) ? framework : "a framework of its own";
  if (!failsBefore) return `${name}, not proven`;
  return passesAfter === null
    ? `${name}, fails before`
    : `${name}, fails before, ${passesAfter ? "passes" : "does not pass"} after`;
}
