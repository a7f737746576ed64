import type { Nodes, PhrasingContent, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown, gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { gfm } from "micromark-extension-gfm";

/** Deeper nesting is nobody's prose, and would overflow recursive writers. */
const MAX_DEPTH = 40;

/** GitHub-flavoured Markdown as a tree, read as GitHub reads it. */
export function parseMarkdown(markdown: string): Root {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

export function writeMarkdown(tree: Nodes): string {
  return toMarkdown(tree, {
    bullet: "-",
    fences: true,
    rule: "-",
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
    // GitHub also reads `$…$` as mathematics, which the parser does not know.
    // A pipe must not end the cell when the text lands in a table.
    unsafe: [
      { character: "$", inConstruct: "phrasing" },
      { character: "|", inConstruct: "phrasing" },
    ],
  });
}

/** Containers opened one inside the other on one line: a quote, a list item, a footnote. */
const NESTED_OPENERS = new RegExp(
  `^(?:[ \\t]*(?:>|[-+*]|\\d{1,9}[.)]|\\[\\^[^\\]\\s]{1,99}\\]:)){${MAX_DEPTH},}`,
  "m",
);

/** What the parser's time grows with the square of, and how much of it prose may hold: a second's work at most. */
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
 * False for text that is nobody's prose: containers nested beyond reason, or thousands of marks. 65,000 characters of
 * `- >` lines, or of `*a_`, would take the parser most of a minute, and with it everything else that the parent does.
 */
export function isParseable(markdown: string): boolean {
  return (
    !NESTED_OPENERS.test(markdown) &&
    COSTLY.every(([pattern, most]) => (markdown.match(pattern)?.length ?? 0) <= most)
  );
}

export function visitNodes(tree: Nodes, visit: (node: Nodes) => void): void {
  const rest: Nodes[] = [tree];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    visit(node);
    if ("children" in node) rest.push(...node.children.toReversed());
  }
}

export function depthOf(tree: Nodes): number {
  let deepest = 0;
  const rest: [Nodes, number][] = [[tree, 1]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [node, depth] = next;
    deepest = Math.max(deepest, depth);
    if ("children" in node) for (const child of node.children) rest.push([child, depth + 1]);
  }
  return deepest;
}

export const isTooDeep = (tree: Nodes): boolean => depthOf(tree) > MAX_DEPTH;

/** What a reader sees of a node, without markup. */
export function textOf(node: Nodes | PhrasingContent): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}

/** A code block that its text cannot end: the fence is longer than any run inside. Line ends become line feeds. */
export function fenced(text: string, language: string | null = null): string {
  const value = text.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "\u{fffd}");
  return writeMarkdown({ type: "code", lang: language, value: withoutOrders(value) });
}

/** Code whose lines no program takes as its orders (`/close`): many read the source of a comment, fences and all. */
export function withoutOrders(code: string): string {
  return code.replaceAll(/^(?=\/[a-z][\w-]*(?:\s|$))/gim, " ");
}
