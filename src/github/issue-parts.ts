import type { Nodes } from "mdast";
import { isParseable, parseMarkdown, textOf } from "./markdown.ts";

/** A code block of an issue, with the text around it. */
export interface CodeBlock {
  /** The fence's first word, in lower case; empty if there is none. */
  language: string;
  text: string;
  /** The nearest heading above it; empty if there is none. */
  heading: string;
  /** The paragraph directly above it, below that heading; empty if there is none. */
  lead: string;
}

export interface IssueParts {
  blocks: CodeBlock[];
  /** The URLs of links, in order, each once. */
  links: string[];
  /** Inline code, with up to 80 characters of text before it. */
  spans: { text: string; before: string }[];
}

const MAX_BLOCKS = 50;
const MAX_LINKS = 100;
const MAX_SPANS = 200;
const NOTHING: IssueParts = { blocks: [], links: [], spans: [] };

/**
 * Returns the code and links of untrusted Markdown, as GitHub shows them. The result remains untrusted data. Text that
 * `isParseable` rejects has no parts.
 */
export function issueParts(markdown: string): IssueParts {
  if (!isParseable(markdown)) return NOTHING;
  const parts: IssueParts = { blocks: [], links: [], spans: [] };
  let heading = "";
  const walk = (nodes: readonly Nodes[]): void => {
    let lead = "";
    for (const node of nodes) {
      if (node.type === "heading") [heading, lead] = [textOf(node), ""];
      else if (node.type === "paragraph") lead = textOf(node);
      if (node.type === "code" && parts.blocks.length < MAX_BLOCKS) {
        const [language = ""] = (node.lang ?? "").toLowerCase().split(/[\s,:{]/);
        parts.blocks.push({ language, text: node.value, heading, lead });
        lead = "";
      } else if (node.type === "link" || node.type === "definition") addLink(parts, node.url);
      if ("children" in node) addSpans(parts, node.children);
      if ("children" in node) walk(node.children);
    }
  };
  walk(parseMarkdown(markdown).children);
  return parts;
}

function addLink({ links }: IssueParts, url: string): void {
  if (links.length < MAX_LINKS && !links.includes(url)) links.push(url);
}

function addSpans({ spans }: IssueParts, children: readonly Nodes[]): void {
  let before = "";
  for (const child of children) {
    if (child.type === "inlineCode" && spans.length < MAX_SPANS) spans.push({ text: child.value, before });
    before = child.type === "text" ? child.value.slice(-80) : "";
  }
}
