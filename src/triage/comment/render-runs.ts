import { describeRange, type EvidenceSummary, gradeLine, type RegressionTest } from "../../evidence/index.ts";
import { codeSpan, joinMarkdown, ourMarkdown, type Markdown } from "../../github/index.ts";
import type { Reproduction } from "../outcome.ts";
import type { Evidence, Tried } from "../policy/index.ts";
import type { ReproductionRun, VerificationInsight } from "../verification.ts";
import type { ForeignText } from "./foreign-text.ts";
import { type KeptFile, renderKeptFile } from "./kept-file.ts";

/** Keeps a comment short: one visible line, and details that the template folds. */
export interface FoldedText {
  line: Markdown;
  details: Markdown;
}

/** Renders the results of the parent's own runs of the reproduction, for the person or program that fixes the bug. */
export function renderEvidence(
  evidence: Evidence,
  recording: KeptFile | null,
  text: ForeignText,
): FoldedText {
  const { reproduction, runs, matchedRuns, insight } = evidence;
  const verdict =
    matchedRuns === runs.length
      ? ourMarkdown`Reproduced in **${matchedRuns} of ${runs.length}** runs`
      : ourMarkdown`**Flaky**: reproduced in **${matchedRuns} of ${runs.length}** runs`;
  return {
    line: evidenceLine(ourMarkdown`${verdict} by the triage program itself.`, insight.grade, recording),
    details: joinBlocks([
      ...runBlocks(reproduction, runs, text),
      ...claimBlocks(reproduction, text),
      ...insightBlocks(insight, text),
    ]),
  };
}

/** Returns the result, its grade (V7) and the location of the recording (V8), in one line. */
function evidenceLine(
  sentence: Markdown,
  grade: EvidenceSummary | null,
  recording: KeptFile | null,
): Markdown {
  const parts = [
    sentence,
    ...(grade === null ? [] : [ourMarkdown`Evidence: ${codeSpan(gradeLine(grade))}.`]),
    ...(recording === null ? [] : [ourMarkdown`Recording: ${renderKeptFile(recording)}.`]),
  ];
  return joinMarkdown(parts, " ");
}

function insightBlocks(
  { commit, sameFailureAs, range, test }: VerificationInsight,
  text: ForeignText,
): (Markdown | null)[] {
  const others = joinMarkdown(
    sameFailureAs.map((number) => ourMarkdown`#${number}`),
    ", ",
  );
  return [
    commit === null ? null : ourMarkdown`Commit: ${text.span(commit.slice(0, 12))}`,
    range === null ? null : text.list(describeRange(range), "bullets"),
    test === null ? null : testBlock(test, text),
    others === ""
      ? null
      : ourMarkdown`The stored reproductions of ${others} fail in the same way, so this may be the same problem.`,
  ];
}

const SHORT_TEST_CHARS = 4_000;

/** Returns the observed results of the regression test, and the test itself when it is short (V6). */
export function testBlock(test: RegressionTest, text: ForeignText): Markdown {
  if (test.type === "unproven") return ourMarkdown`No proven regression test. ${text.line(test.reason)}`;
  const { framework, path, content } = test.planned;
  const after =
    test.grade.passesAfter === true ? ourMarkdown`, and passes on the commit that fixed it` : ourMarkdown``;
  const told = ourMarkdown`Regression test for ${text.line(framework)}: it fails on this commit because of the bug${after}.`;
  if (content.length > SHORT_TEST_CHARS) return ourMarkdown`${told} It is among the run's artifacts.`;
  return ourMarkdown`${told} For ${text.span(path)}:\n\n${text.code(content, "")}`;
}

/** Returns what was tried to reproduce the bug, and its result (A32). */
export function renderTried(tried: Tried, recording: KeptFile | null, text: ForeignText): FoldedText {
  if (tried.type === "seen") return renderEvidence(tried, recording, text);
  const { reproduction } = tried;
  if (tried.type === "reported") {
    const seen = reproduction.reproduced
      ? ourMarkdown`with the result below`
      : ourMarkdown`and did not see the problem`;
    return {
      line: ourMarkdown`The Triage Agent tried to reproduce this ${seen}.`,
      details: joinBlocks([...claimBlocks(reproduction, text), scriptBlock(reproduction, text)]),
    };
  }
  const sentence = tried.type === "unproven" ? unprovenSentence(tried, text) : notSeenSentence(tried);
  return {
    line: evidenceLine(sentence, tried.grade, recording),
    details: joinBlocks([
      ...runBlocks(reproduction, tried.runs, text),
      titled("Environment", reproduction.environment, text),
    ]),
  };
}

function notSeenSentence({ runs }: Pick<Extract<Tried, { type: "verified" }>, "runs">): Markdown {
  return ourMarkdown`The script below was run ${runs.length} times, each in a clean checkout. No run showed the problem.`;
}

function unprovenSentence(
  { runs, reason }: Extract<Tried, { type: "unproven" }>,
  text: ForeignText,
): Markdown {
  const shown = runs.filter((run) => run.matched).length;
  return ourMarkdown`The script below showed its claim in ${shown} of ${runs.length} runs, each in a clean checkout, but this does not prove the bug: ${text.line(reason)}.`;
}

function runBlocks(
  reproduction: Reproduction,
  runs: readonly ReproductionRun[],
  text: ForeignText,
): (Markdown | null)[] {
  const telling = runs.findIndex((run) => run.matched);
  const at = Math.max(0, telling);
  const excerpt = runs[at]?.outputExcerpt ?? "";
  return [
    joinMarkdown(
      [
        ourMarkdown`| run | exit code | reproduced | seconds | screen |`,
        ourMarkdown`|---|---|---|---|---|`,
        ...runs.map(runRow),
      ],
      "\n",
    ),
    expectationBlock(reproduction, text),
    excerpt === ""
      ? ourMarkdown`No output.`
      : ourMarkdown`Output of run ${at + 1}:\n\n${text.code(excerpt, "text")}`,
    scriptBlock(reproduction, text),
  ];
}

function runRow(run: ReproductionRun, index: number): Markdown {
  const end = run.timedOut ? ourMarkdown`timed out` : run.exitCode;
  const screen = codeSpan(run.screenHash.replaceAll(/\W/g, "").slice(0, 16));
  const seconds = (run.durationMs / 1_000).toFixed(1) as Markdown;
  const verdict = run.matched ? ourMarkdown`yes` : ourMarkdown`no`;
  return ourMarkdown`| ${index + 1} | ${end ?? ourMarkdown`none`} | ${verdict} | ${seconds} | ${screen} |`;
}

function expectationBlock({ expect }: Reproduction, text: ForeignText): Markdown | null {
  const exitCode = expect?.exitCode ?? null;
  const output = expect?.outputContains ?? null;
  if (exitCode === null && output === null) return null;
  const parts = [
    ...(exitCode === null ? [] : [ourMarkdown`exits with ${exitCode}`]),
    ...(output === null ? [] : [ourMarkdown`prints the text below`]),
  ];
  const sentence = ourMarkdown`A run counts as reproduced when it ${joinMarkdown(parts, " and ")}.`;
  return output === null ? sentence : ourMarkdown`${sentence}\n\n${text.code(output, "text")}`;
}

function claimBlocks(
  { expected, actual, environment }: Reproduction,
  text: ForeignText,
): (Markdown | null)[] {
  return [
    titled("Expected", expected, text),
    // Text of several lines is treated as output, because Markdown would join its lines.
    isPlainOutput(actual)
      ? ourMarkdown`Actual:\n\n${text.code(actual, "text")}`
      : titled("Actual", actual, text),
    titled("Environment", environment, text),
  ];
}

function isPlainOutput(words: string): boolean {
  return words.trim().includes("\n") && !/^(?:`{3}|~{3}|[-*] |\d+\. )/m.test(words);
}

function titled(title: string, words: string, text: ForeignText): Markdown | null {
  if (words.trim() === "") return null;
  const prose = text.prose(words);
  return joinMarkdown([`${title}:` as Markdown, prose], /^(?:`{3}|- |\d+\. )|\n/.test(prose) ? "\n\n" : " ");
}

function scriptBlock({ script }: Reproduction, text: ForeignText): Markdown | null {
  if (script === null) return null;
  return ourMarkdown`Script:\n\n${text.code(script, "sh")}`;
}

function joinBlocks(blocks: readonly (Markdown | null)[]): Markdown {
  return joinMarkdown(
    blocks.filter((block) => block !== null),
    "\n\n",
  );
}
