import type { IssueFile } from "./issue-file.ts";
import { splitCommands } from "./shell-commands.ts";
import { withoutFences } from "./words.ts";

/** A reporter's code that this program is willing to run, with the result that the reporter describes. */
export interface ReportedCode {
  language: "js" | "sh";
  code: string;
  expected: Claim;
  actual: Claim;
}

/** The output that a reporter expected or saw. */
export interface Claim {
  text: string;
  /** Literals in code marks, which are searched for in the output. */
  literal: string | null;
}

export interface ReportedCodeSearch {
  found: ReportedCode | null;
  /** The reporter's commands that this program does not run. */
  refused: string[];
}

const JAVASCRIPT = /^(?:js|javascript|mjs|cjs|node)$/;
const SHELL = /^(?:sh|bash|shell|console)$/;

/** Returns the newest code that can be run: the reporter's last comment is searched first, and the report itself last. */
export function findReportedCode(issue: IssueFile): ReportedCodeSearch {
  const replies = issue.comments.filter((comment) => comment.isReporter).map((comment) => comment.body);
  const texts = [...replies.reverse(), issue.body];
  const refused = texts.flatMap(refusedCommands);
  for (const text of texts) {
    const code = runnableCode(text);
    if (code === null) continue;
    const everything = texts.join("\n\n");
    const claim = (word: string) => claimOf(text, word) ?? claimOf(everything, word) ?? noClaim;
    return { found: { ...code, expected: claim("expected"), actual: claim("actual") }, refused };
  }
  return { found: null, refused };
}

const noClaim: Claim = { text: "", literal: null };

function runnableCode(text: string): Pick<ReportedCode, "language" | "code"> | null {
  const blocks = codeBlocks(text);
  const script = blocks.find(
    ({ language, code }) => JAVASCRIPT.test(language) && /\b(?:import|require)\b/.test(code),
  );
  if (script !== undefined) return { language: "js", code: script.code };
  const commands = blocks.find(
    ({ language, code }) => SHELL.test(language) && splitCommands(code).refused.length === 0,
  );
  return commands === undefined
    ? null
    : { language: "sh", code: splitCommands(commands.code).accepted.join("\n") };
}

function refusedCommands(text: string): string[] {
  return codeBlocks(text)
    .filter(({ language }) => SHELL.test(language))
    .flatMap(({ code }) => splitCommands(code).refused);
}

function codeBlocks(text: string): { language: string; code: string }[] {
  return [...text.matchAll(/^(`{3,}|~{3,})[ \t]*([\w-]*)[^\n]*\n([\s\S]*?)^\1[ \t]*$/gm)].map(
    ([, , language = "", code = ""]) => ({ language: language.toLowerCase(), code }),
  );
}

/**
 * Returns the text of `**Expected:** …`, `Expected: …`, or of a heading `### Expected` followed by a paragraph; null: there is
 * none.
 */
function claimOf(text: string, word: string): Claim | null {
  const opening = new RegExp(`^[\\s#>*_-]*${word}\\b[^:\\n]{0,40}(?::[*_]*|$)[ \\t]*(.*)$`, "i");
  const prose = withoutFences(text).split("\n");
  const at = prose.findIndex((line) => opening.test(line));
  if (at === -1) return null;
  const sameLine = opening.exec(prose[at] ?? "")?.[1]?.trim() ?? "";
  const stated = sameLine !== "" ? sameLine : (prose.slice(at + 1).find((line) => line.trim() !== "") ?? "");
  return { text: stated.trim(), literal: /`([^`]+)`/.exec(stated)?.[1] ?? null };
}
