import { appendFile } from "node:fs/promises";
import { issueKey, plainText } from "../../github/index.ts";
import type { BatchSummary, IssueSummary } from "../../triage/index.ts";
import type { RunEnvironment } from "../config/index.ts";

const MAX_WARNINGS = 20;
/** GitHub cuts a job summary at 1 MiB. */
const SUMMARY_MAX_BYTES = 1_000_000;

/** On GitHub Actions: the job summary as Markdown, and `run-id` and `applied` as step outputs. */
export async function writeActionsFiles(
  summary: BatchSummary,
  environment: Pick<RunEnvironment, "stepSummaryFile" | "outputFile">,
  warnings: readonly string[],
): Promise<void> {
  if (environment.stepSummaryFile !== null) {
    await appendFile(environment.stepSummaryFile, jobSummary(summary, warnings));
  }
  if (environment.outputFile !== null) {
    // Neither value can hold a line break, so neither can set another output.
    await appendFile(environment.outputFile, `run-id=${summary.runId}\napplied=${summary.totals.applied}\n`);
  }
}

/** Every cell is escaped: nothing of an issue can become markup, a mention or a workflow command. */
export function jobSummary(summary: BatchSummary, warnings: readonly string[] = []): string {
  const rows = summary.issues.map(
    (issue) =>
      `| ${[issueKey(issue), issue.status, issue.outcome ?? "", reasonOf(issue)].map(cell).join(" | ")} |`,
  );
  const text = [
    `### Triage Batch ${summary.runId}`,
    "",
    ...warningLines(warnings),
    "| Issue | Status | Outcome | Why |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    ...summary.stranded.map(({ name, error }) => `**Stranded:** ${cell(name)}: ${cell(error.message)}`),
    "",
  ].join("\n");
  if (Buffer.byteLength(text) <= SUMMARY_MAX_BYTES) return text;
  return `${Buffer.from(text).subarray(0, SUMMARY_MAX_BYTES).toString()}\n\n(cut: the full summary is in the step's stdout)\n`;
}

/** Above the table: an unsigned marker or an edited comment must not be overlooked. */
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

function reasonOf(issue: IssueSummary): string {
  return issue.error === null ? [issue.reason, ...issue.policy].join(", ") : issue.error.message;
}

function cell(text: string): string {
  return plainText(text)
    .slice(0, 500)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_{}[\]()#+!|<>@&~$]/g, (character) => `&#${character.charCodeAt(0)};`);
}
