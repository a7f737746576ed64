import type { Nodes, PhrasingContent, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** People do not write deeper nesting, and it would overflow recursive writers. */
const MAX_DEPTH = 40;

export type MarkdownNode = Nodes;

/** GitHub-flavoured Markdown as a tree, read as GitHub reads it. */
export function parseMarkdown(markdown: string): Root {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** Containers opened one inside the other on one line: a quote, a list item, a footnote. */
const NESTED_OPENERS = new RegExp(
  `^(?:[ \\t]*(?:>|[-+*]|\\d{1,9}[.)]|\\[\\^[^\\]\\s]{1,99}\\]:)){${MAX_DEPTH},}`,
  "m",
);

/** The parser's time grows with the square of these constructs; the limits allow prose at most a second of work. */
const COSTLY: readonly (readonly [pattern: RegExp, most: number])[] = [
  // lines that open a quote or a list item
  [/^[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])/gm, 1_000],
  // underlined headings, each of which may yet turn out to be one line more of the paragraph
  [/^ {0,3}=+[ \t]*$/gm, 500],
  // ends of link texts, references and definitions
  [/\]/g, 2_000],
  // emphasis that is opened and perhaps never closed
  [/[*_~]+/g, 4_000],
];

/**
 * False for text that no person writes: containers nested beyond reason, or thousands of marks. 65,000 characters of
 * `- >` lines, or of `*a_`, would take the parser most of a minute, and with it everything else that the parent does.
 */
export function isParseable(markdown: string): boolean {
  return (
    !NESTED_OPENERS.test(markdown) &&
    COSTLY.every(([pattern, most]) => (markdown.match(pattern)?.length ?? 0) <= most)
  );
}

/** Calls `visit` on every node of the tree, parents first, in document order, without recursion. */
export function visitNodes(tree: Nodes, visit: (node: Nodes) => void): void {
  const rest: Nodes[] = [tree];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    visit(node);
    if ("children" in node) rest.push(...node.children.toReversed());
  }
}

/** The text of a node as a reader sees it, without markup. */
export function textOf(node: Nodes | PhrasingContent): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}
