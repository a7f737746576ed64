import type { Nodes } from "mdast";
import { isParseable, parseMarkdown } from "./markdown.ts";
import type { IssueRef } from "./port.ts";

/**
 * Whether the description of a pull request of the same repository says that it closes the issue, as GitHub reads it:
 * https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue. Not in
 * comments, code, or a mere mention.
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

/** The text that a reader sees, link addresses included; text from two blocks is never joined. */
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
