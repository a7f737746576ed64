import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { describeRange, type Range } from "../../src/evidence/index.ts";
import type { Issue, IssueComment } from "../../src/github/index.ts";
import { findSecrets } from "./canary.ts";
import type { PackageCase } from "./package-cases.ts";
import type { ProgramRun } from "./run-program.ts";

/** The result of one case, as seen on GitHub and in the home directory. */
export interface CaseResult {
  packageCase: PackageCase;
  run: ProgramRun;
  issue: Issue;
  comments: readonly IssueComment[];
  home: string;
  secrets: Readonly<Record<string, string>>;
}

export interface Mismatch {
  what: string;
  expected: string;
  seen: string;
}

type IssueSummary = NonNullable<ProgramRun["summary"]>["issues"][number];

/** Checks everything that must hold after one case and returns the mismatches; empty if there are none. */
export async function checkCase(result: CaseResult): Promise<Mismatch[]> {
  const { packageCase, run, issue, comments, home } = result;
  const { outcome } = packageCase.expectation;
  if (run.summary === null)
    return [
      { what: "stdout", expected: "a summary", seen: `exit code ${run.exitCode}, ${run.stderr.trim()}` },
    ];
  const [summary] = run.summary.issues;
  const comment = comments.at(-1)?.body ?? "";
  const policy = summary?.policy.join() ?? "";
  const facts: [what: string, expected: string, seen: string][] = [
    ["exit code", "0", String(run.exitCode)],
    ["issues in the summary", "1", String(run.summary.issues.length)],
    ["status", "applied", `${summary?.status ?? "none"}${errorText(summary)}`],
    ["outcome", outcome, summary?.outcome ?? "none"],
    ["labels", ["bug", outcome].join(), [...issue.labels].sort().join()],
    ["issue", "open", issue.state],
    ["comments", "1", String(comments.length)],
    ["comment URL", comments.at(-1)?.url ?? "one", summary?.commentUrl ?? "none"],
    ["Coder workspace destroyed", "true", String(summary?.workspace?.destroyed ?? "no workspace")],
    ["stranded", "0", String(run.summary.stranded.length)],
    ["left in workspaces/", "nothing", (await namesIn(join(home, "workspaces"))).join() || "nothing"],
    ["recordings", "not empty", (await emptyArtifacts(summary, outcome)).join() || "not empty"],
    ["secrets", "nowhere", (await secretPlaces(result)).join("; ") || "nowhere"],
    [
      "paths of this machine in the comment",
      "none",
      comment.includes(dirname(home)) ? dirname(home) : "none",
    ],
    ["comment", "whole", missingFrom(comment, requiredWords(packageCase, summary)).join("; ") || "whole"],
  ];
  const { expectation } = packageCase;
  const evidence = summary?.evidence;
  if (expectation.outcome !== "needs-info") {
    facts.push(["policy", expectation.policy, policy]);
    facts.push(["first bad", expectation.firstBad, evidence?.firstBad ?? "none"]);
    facts.push([
      "regression test",
      "fails before",
      evidence?.test?.includes("fails before") === true ? "fails before" : "none",
    ]);
  }
  if (expectation.outcome === "ready-for-human")
    facts.push(["first fixed", expectation.release, evidence?.firstFixed ?? "none"]);
  if (expectation.outcome === "ready-for-agent")
    facts.push(["grade", "verified in all of 3 runs or more", gradeOfRuns(evidence)]);
  return facts
    .filter(([, expected, seen]) => expected !== seen)
    .map(([what, expected, seen]) => ({ what, expected, seen }));
}

const ranges = z.object({
  insight: z.object({ range: z.unknown() }).optional(),
  fixed: z.object({ range: z.unknown() }).optional(),
});

/** Describes the first bad and the first fixed version in sentences; returns an empty text if there was no range search. */
export async function rangeOf(summary: IssueSummary | undefined): Promise<string> {
  const text = await verificationText(summary);
  const { insight, fixed } = ranges.parse(JSON.parse(text ?? "{}"));
  const range = (fixed ?? insight)?.range;
  return range == null ? "" : describeRange(range as Range).join(" ");
}

async function verificationText(summary: IssueSummary | undefined): Promise<string | null> {
  const outcome = summary?.artifacts.outcome ?? null;
  if (outcome === null) return null;
  return readFile(join(dirname(outcome), "verification.json"), "utf8").catch(() => null);
}

/**
 * Describes the runs without their exact number: a verification adds runs to the requested three if the first ones are
 * inconclusive.
 */
function gradeOfRuns(evidence: IssueSummary["evidence"] | undefined): string {
  const [matched = 0, total = 0] = (evidence?.runs ?? "").split("/").map(Number);
  const isComplete = evidence?.verdict === "verified" && total >= 3 && matched === total;
  return isComplete ? "verified in all of 3 runs or more" : `${evidence?.verdict} ${evidence?.runs}`;
}

/** Returns the grade in the summary without its range, such as `verified 3/3, controls 0/4, fresh, node:test, fails before`. */
export function gradeOf(summary: IssueSummary | undefined): string {
  const evidence = summary?.evidence;
  if (evidence == null) return "not verified";
  const { verdict, runs, controls, place, test } = evidence;
  return [`${verdict} ${runs}`, `controls ${controls}`, place, test ?? "no test"].join(", ");
}

/** Returns the texts that the comment must contain to be useful to its readers. */
function requiredWords(
  { body, version, expectation }: PackageCase,
  summary: IssueSummary | undefined,
): string[] {
  const runs = summary?.evidence?.runs.replace("/", " of ") ?? "3 of 3";
  const code = /^```js\n([\s\S]*?)^```$/m.exec(body)?.[1] ?? "";
  // The comment contains the script, line by line.
  const tried = code.split("\n").filter((line) => line.trim() !== "");
  switch (expectation.outcome) {
    case "ready-for-agent":
      return [...tried, `Reproduced in **${runs}** runs`, "### Acceptance criteria", version];
    case "ready-for-human":
      return [...tried, "The problem shows in version", `Version \`${expectation.release}\` has the fix.`];
    case "needs-info":
      return [...tried, "### What was tried", "### What is needed", expectation.printed, version];
  }
}

function missingFrom(text: string, words: readonly string[]): string[] {
  return words.filter((word) => !text.includes(word)).map((word) => `without ${JSON.stringify(word)}`);
}

async function emptyArtifacts(summary: IssueSummary | undefined, outcome: string): Promise<string[]> {
  const { eventLog = null, recording = null, verification = null } = summary?.artifacts ?? {};
  const wanted = { eventLog, recording, ...(outcome === "ready-for-agent" ? { verification } : {}) };
  const sizes = await Promise.all(
    Object.entries(wanted).map(async ([name, path]) => ({ name, isEmpty: await isEmptyAt(path) })),
  );
  return sizes.filter(({ isEmpty }) => isEmpty).map(({ name }) => `${name} is empty or missing`);
}

async function isEmptyAt(path: string | null): Promise<boolean> {
  if (path === null) return true;
  const status = await stat(path).catch(() => null);
  return status === null || status.size === 0;
}

async function secretPlaces({ secrets, home, run, comments }: CaseResult): Promise<string[]> {
  const texts = {
    stdout: run.stdout,
    stderr: run.stderr,
    ...Object.fromEntries(comments.map((comment) => [comment.url, comment.body])),
  };
  return findSecrets(secrets, { directory: home, texts });
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

function errorText(summary: IssueSummary | undefined): string {
  return summary?.error == null ? "" : ` (${summary.error.code}: ${summary.error.message})`;
}
