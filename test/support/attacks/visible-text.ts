import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/**
 * Returns, approximately, the text that a person sees when GitHub shows the Markdown: without comments, attributes, titles,
 * alternative texts and definitions.
 */
export function visibleText(markdown: string): string {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const referenced = new Set<string>();
  visit(tree, (node) => void (node.type === "footnoteReference" && referenced.add(node.identifier)));
  return textOf(tree, referenced);
}

function textOf(node: Nodes, referenced: ReadonlySet<string>): string {
  switch (node.type) {
    case "html":
      return htmlText(node.value);
    case "image":
    case "imageReference":
    case "definition":
      return "";
    case "footnoteDefinition":
      if (!referenced.has(node.identifier)) return "";
      break;
    default:
  }
  if ("value" in node) return `${node.value} `;
  return "children" in node ? node.children.map((child) => textOf(child, referenced)).join("") : "";
}

function htmlText(html: string): string {
  return html
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replaceAll(/<(script|style|template|title|textarea|noscript|iframe)\b[\s\S]*?(?:<\/\1>|$)/gi, "")
    .replaceAll(
      /<(\w+)[^>]*(?:\shidden|display:\s*none|opacity:\s*0|font-size:\s*0)[^>]*>[\s\S]*?(?:<\/\1>|$)/gi,
      "",
    )
    .replaceAll(/<[^>]*>/g, "");
}

function visit(node: Nodes, see: (node: Nodes) => void): void {
  see(node);
  if ("children" in node) for (const child of node.children) visit(child, see);
}
