import { issueKey, plainText, shownText } from "../../github/index.ts";
import { hangingLines, wrapWords } from "../../layout/index.ts";
import type { VerifiedIssue } from "../../triage/index.ts";

const INDENT = "    ";

/**
 * Returns the lines for people about one stored reproduction that was run again. A failure may end with a screen, so its remedy has
 * separate lines, at most `columns` wide.
 */
export function verifiedLines(
  { repo, number, title, verdict, matchedRuns, runs, before, error }: VerifiedIssue,
  columns: number,
): string[] {
  const counted = runs === 0 ? "" : ` (${matchedRuns}/${runs})`;
  const changed = before === null || before === verdict ? "" : `, was ${before}`;
  const why = error === null ? "" : `: ${plainText(error.message)}`;
  const line = `${issueKey({ repo, number })}  ${verdict}${counted}${changed}  ${shownText(title)}${why}`;
  return [
    ...wrapWords(line, columns).split("\n"),
    ...(error === null ? [] : hangingLines(`${INDENT}what to do: `, error.remedy, columns)),
  ];
}
