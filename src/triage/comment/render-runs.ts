import type { Reproduction } from "../outcome.ts";
import type { Evidence, Tried } from "../policy/index.ts";
import type { FirstBad, ReproductionRun, VerificationInsight } from "../verification.ts";
import type { ForeignText } from "./foreign-text.ts";

/** What the parent saw when it ran the reproduction itself, for whoever is to fix the bug. */
export function renderEvidence(evidence: Evidence, recording: string | null, text: ForeignText): string {
  const { reproduction, runs, matchedRuns, insight } = evidence;
  const verdict =
    matchedRuns === runs.length
      ? `Reproduced in **${matchedRuns} of ${runs.length}** runs`
      : `**Flaky**: reproduced in **${matchedRuns} of ${runs.length}** runs`;
  return joinBlocks([
    `${verdict} by the triage program itself, each in a clean checkout.`,
    ...runBlocks(reproduction, runs, text),
    ...claimBlocks(reproduction, text),
    ...insightBlocks(insight, text),
    recording === null ? null : `Recording: ${text.span(recording)}`,
  ]);
}

function insightBlocks(
  { commit, sameFailureAs, firstBad }: VerificationInsight,
  text: ForeignText,
): (string | null)[] {
  const others = sameFailureAs.map((number) => `#${number}`).join(", ");
  return [
    commit === null ? null : `Commit: ${text.span(commit.slice(0, 12))}`,
    firstBadBlock(firstBad, text),
    others === "" ? null : `The reproductions stored for ${others} fail alike: this may be the same problem.`,
  ];
}

function firstBadBlock(firstBad: FirstBad, text: ForeignText): string | null {
  switch (firstBad.type) {
    case "not-searched":
      return null;
    case "found": {
      const { commit, subject, isExact } = firstBad;
      const named = `${text.span(commit.slice(0, 12))}, ${text.span(subject)}`;
      return isExact
        ? `First bad commit: ${named}`
        : `First bad commit: ${named}, or one just before it that could not be tested`;
    }
    case "not-found":
      return `First bad commit: not found. ${firstBad.reason}`;
  }
}

/** A32: what was tried, and what came of it. */
export function renderTried(tried: Tried, recording: string | null, text: ForeignText): string {
  const { reproduction } = tried;
  if (tried.type === "reported") {
    const seen = reproduction.reproduced ? "with the result below" : "and did not see the problem";
    return joinBlocks([
      `The Triage Agent tried to reproduce this, ${seen}.`,
      ...claimBlocks(reproduction, text),
      scriptBlock(reproduction, text),
    ]);
  }
  return joinBlocks([
    `The script below was run ${tried.runs.length} times, each in a clean checkout. The problem showed in none of them.`,
    ...runBlocks(reproduction, tried.runs, text),
    titled("Environment", reproduction.environment, text),
    recording === null ? null : `Recording: ${text.span(recording)}`,
  ]);
}

function runBlocks(
  reproduction: Reproduction,
  runs: readonly ReproductionRun[],
  text: ForeignText,
): (string | null)[] {
  const telling = runs.findIndex((run) => run.matched);
  const at = Math.max(0, telling);
  const excerpt = runs[at]?.outputExcerpt ?? "";
  return [
    [
      "| run | exit code | reproduced | seconds | screen |",
      "|---|---|---|---|---|",
      ...runs.map(runRow),
    ].join("\n"),
    expectationBlock(reproduction, text),
    excerpt === "" ? "No output." : `Output of run ${at + 1}:\n\n${text.code(excerpt, "text")}`,
    scriptBlock(reproduction, text),
  ];
}

function runRow(run: ReproductionRun, index: number): string {
  const end = run.timedOut ? "timed out" : (run.exitCode ?? "none");
  const screen = run.screenHash.replaceAll(/\W/g, "").slice(0, 16);
  const seconds = (run.durationMs / 1_000).toFixed(1);
  return `| ${index + 1} | ${end} | ${run.matched ? "yes" : "no"} | ${seconds} | \`${screen}\` |`;
}

function expectationBlock({ expect }: Reproduction, text: ForeignText): string | null {
  const exitCode = expect?.exitCode ?? null;
  const output = expect?.outputContains ?? null;
  if (exitCode === null && output === null) return null;
  const parts = [
    ...(exitCode === null ? [] : [`exits with ${exitCode}`]),
    ...(output === null ? [] : ["prints the text below"]),
  ];
  const sentence = `A run counts as reproduced when it ${parts.join(" and ")}.`;
  return output === null ? sentence : `${sentence}\n\n${text.code(output, "text")}`;
}

function claimBlocks({ expected, actual, environment }: Reproduction, text: ForeignText): (string | null)[] {
  return [
    titled("Expected", expected, text),
    // More than one line of what was seen is output, and Markdown would run its lines together.
    isPlainOutput(actual) ? `Actual:\n\n${text.code(actual, "text")}` : titled("Actual", actual, text),
    titled("Environment", environment, text),
  ];
}

function isPlainOutput(words: string): boolean {
  return words.trim().includes("\n") && !/^(?:`{3}|~{3}|[-*] |\d+\. )/m.test(words);
}

function titled(title: string, words: string, text: ForeignText): string | null {
  if (words.trim() === "") return null;
  const prose = text.prose(words);
  return `${title}:${prose.includes("\n") ? "\n\n" : " "}${prose}`;
}

function scriptBlock({ script }: Reproduction, text: ForeignText): string | null {
  if (script === null) return null;
  return `<details><summary>Script</summary>\n\n${text.code(script, "sh")}\n\n</details>`;
}

function joinBlocks(blocks: readonly (string | null)[]): string {
  return blocks.filter((block) => block !== null).join("\n\n");
}
