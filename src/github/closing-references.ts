import type { Nodes } from "mdast";
import { isParseable, parseMarkdown } from "./markdown.ts";
import type { IssueRef } from "./port.ts";

/**
 * Returns whether the description of a pull request in the same repository says that it closes the issue, by GitHub's rules:
 * https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue. Text in comments
 * and code, and a mere mention, do not count.
 */
export function closesIssue(description: string, ref: IssueRef): boolean {
  const pattern = closingPattern(ref);
  if (!pattern.test(description) || !isParseable(description)) return false;
  return pattern.test(proseOf(parseMarkdown(description)));
}

function closingPattern({ repo, number }: IssueRef): RegExp {
  const name = repo.replaceAll(/[^\w/]/g, (character) => `\\${character}`);
  const issue = `(?:#|GH-|${name}#|https?://[^\\s/]{1,255}/${name}/issues/)${number}(?!\\w)`;
  return new RegExp(`(?<![\\w-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \\t]{1,9}<?${issue}`, "i");
}

/** Returns the text that a reader sees, including link addresses; text of two blocks is never joined. */
function proseOf(node: Nodes): string {
  switch (node.type) {
    case "text":
      return node.value;
    case "link":
      return node.url;
    case "html":
    case "code":
    case "inlineCode":
      return "\n";
    default:
      return "children" in node ? node.children.map(proseOf).join(isPhrasing(node) ? "" : "\n") : "\n";
  }
}

function isPhrasing({ type }: Nodes): boolean {
  return ["paragraph", "heading", "emphasis", "strong", "delete", "tableCell"].includes(type);
}
