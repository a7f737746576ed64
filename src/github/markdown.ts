import type { Nodes, PhrasingContent, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** The maximum depth of nesting. People do not write deeper nesting, and it would overflow the stack of recursive functions. */
const MAX_DEPTH = 40;

export type MarkdownNode = Nodes;

/** Returns the tree of a text in GitHub-flavoured Markdown. */
export function parseMarkdown(markdown: string): Root {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** Quotes, list items and footnotes that are opened inside each other on one line. */
const NESTED_OPENERS = new RegExp(
  `^(?:[ \\t]*(?:>|[-+*]|\\d{1,9}[.)]|\\[\\^[^\\]\\s]{1,99}\\]:)){${MAX_DEPTH},}`,
  "m",
);

/**
 * The constructs with whose number the parser's time grows quadratically, with their limits. Within them, a text of GitHub's length
 * takes at most about two seconds.
 */
const COSTLY: readonly (readonly [pattern: RegExp, most: number])[] = [
  // Lines that open a quote or a list item.
  [/^[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])/gm, 1_000],
  // Heading underlines, each of which may turn out to be another line of the paragraph.
  [/^ {0,3}=+[ \t]*$/gm, 500],
  // Ends of link texts, references and definitions.
  [/\]/g, 2_000],
  // Emphasis that is opened and perhaps never closed.
  [/[*_~]+/g, 4_000],
];

/**
 * Returns whether the text may be parsed. Text that no person writes may not: very deeply nested containers, or thousands of
 * Markdown marks. 65,000 characters of `- >` lines, or of `*a_`, would keep the parser busy for most of a minute and block
 * everything else in the parent.
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

/** Returns the text of a node as a reader sees it, without markup. */
export function textOf(node: Nodes | PhrasingContent): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}
