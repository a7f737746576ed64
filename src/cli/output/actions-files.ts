import { appendFile } from "node:fs/promises";
import { issueKey, shownText, textAsCode } from "../../github/index.ts";
import type { BatchSummary, IssueSummary } from "../../triage/index.ts";
import type { RunEnvironment } from "../../config/index.ts";
import type { LastScreens } from "./last-screens.ts";
import { isChosen } from "./summary-table.ts";

const MAX_WARNINGS = 20;
/** The limit for a job summary, which GitHub cuts at 1 MiB. */
const SUMMARY_MAX_BYTES = 1_000_000;

/** Writes, on GitHub Actions, the job summary as Markdown, and `run-id` and `applied` as step outputs. */
export async function writeActionsFiles(
  summary: BatchSummary,
  environment: Pick<RunEnvironment, "stepSummaryFile" | "outputFile" | "actionsRunUrl">,
  told: { warnings: readonly string[]; screens: LastScreens; isDryRun: boolean },
): Promise<void> {
  if (environment.stepSummaryFile !== null) {
    const { screens, isDryRun } = told;
    const evidence = { artifactsUrl: environment.actionsRunUrl, screens, isDryRun };
    await appendFile(environment.stepSummaryFile, jobSummary(summary, told.warnings, evidence));
  }
  if (environment.outputFile !== null) {
    // Neither value contains a line break, so neither can set another output.
    await appendFile(environment.outputFile, `run-id=${summary.runId}\napplied=${summary.totals.applied}\n`);
  }
}

export interface SummaryEvidence {
  /** URL of the page of this Actions run. Its artifacts contain the home, and a report if one was written. */
  artifactsUrl: string | null;
  /** The last screens of failed Triage Runs. */
  screens: LastScreens;
  /** Whether the batch was a dry run: the issues were assessed, and nothing was written. */
  isDryRun: boolean;
}

/**
 * Returns the job summary as Markdown. Every cell is escaped, so that issue text cannot become markup, a mention or a workflow
 * command. The picture of a failed run is its last screen as text: GitHub removes `data:` images from a summary, and a file in an
 * artifact has no URL of its own.
 */
export function jobSummary(
  summary: BatchSummary,
  warnings: readonly string[] = [],
  evidence: SummaryEvidence = { artifactsUrl: null, screens: new Map(), isDryRun: false },
): string {
  const { isDryRun } = evidence;
  const head = isDryRun ? ["Issue", "Triaged", "Why"] : ["Issue", "Status", "Outcome", "Why"];
  const rows = summary.issues.map((issue) => (isDryRun ? chosenCells(issue) : resultCells(issue)).map(cell));
  const text = [
    `### Triage Batch ${summary.runId}${isDryRun ? " (dry run: nothing was written)" : ""}`,
    "",
    ...warningLines(warnings),
    ...[head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`),
    "",
    ...summary.kept.map(
      (each) =>
        `Kept for inspection until ${cell(each.until)}: ${cell(each.name)} of ${cell(issueKey(each))}`,
    ),
    ...summary.stranded.map(({ name, error }) => `**Stranded:** ${cell(name)}: ${cell(error.message)}`),
    ...artifactLines(evidence.artifactsUrl),
    "",
  ].join("\n");
  if (Buffer.byteLength(text) <= SUMMARY_MAX_BYTES) return withScreens(text, evidence.screens);
  return `${Buffer.from(text).subarray(0, SUMMARY_MAX_BYTES).toString()}\n\n(cut: the full summary is in the step's stdout)\n`;
}

function chosenCells(issue: IssueSummary): string[] {
  return [issueKey(issue), isChosen(issue) ? "yes" : "no", issue.reason];
}

function resultCells(issue: IssueSummary): string[] {
  return [issueKey(issue), issue.status, issue.outcome ?? "", reasonOf(issue)];
}

/**
 * Returns the lines of the warnings. They are above the table, because an unsigned marker or an edited comment must not be
 * overlooked.
 */
function warningLines(warnings: readonly string[]): string[] {
  const unique = [...new Set(warnings)];
  const hidden = unique.length - MAX_WARNINGS;
  return unique.length === 0
    ? []
    : [
        "> [!WARNING]",
        ...unique.slice(0, MAX_WARNINGS).map((warning) => `> - ${cell(warning)}`),
        ...(hidden > 0 ? [`> - and ${hidden} more, on stderr`] : []),
        "",
      ];
}

function artifactLines(url: string | null): string[] {
  if (url === null || !url.startsWith("https://")) return [];
  return [
    "",
    `Recordings, screenshots and the report (open its \`index.html\`): [the artifacts of this run](${url}#artifacts).`,
  ];
}

/** Returns the text with as many screens as fit, because a code fence that is cut in the middle would include the text after it. */
function withScreens(text: string, screens: LastScreens): string {
  let all = text;
  for (const [key, screen] of screens) {
    const block = `#### Last screen of ${cell(key)}\n\n${textAsCode(screen, "")}\n\n`;
    if (Buffer.byteLength(all) + Buffer.byteLength(block) <= SUMMARY_MAX_BYTES) all += block;
  }
  return all;
}

function reasonOf(issue: IssueSummary): string {
  return issue.error === null ? [issue.reason, ...issue.policy].join(", ") : issue.error.message;
}

/**
 * The places at which a space breaks an address that GitHub links automatically, even when its characters are written as entities.
 */
const ADDRESS = /(?<=[a-z]:)(?=\/\/)|(?<=\bwww)(?=\.)|(?<=\b(?:mailto|xmpp))(?=:)|(?<=\S)(?=@)/gi;

function cell(text: string): string {
  return shownText(text)
    .slice(0, 500)
    .replaceAll(/\s+/g, " ")
    .replaceAll(ADDRESS, " ")
    .replaceAll(/[\\`*_{}[\]()#+!|<>@&~$]/g, (character) => `&#${character.charCodeAt(0)};`);
}
