import { isParseable, type MarkdownNode, parseMarkdown, textOf } from "../../github/index.ts";
import type { InertBlock } from "../api/index.ts";

type Span = InertBlock["spans"][number];
type Style = Span["styles"][number];

/** The maximum number of blocks of one comment. A comment within GitHub's limit of 65,536 characters has far fewer. */
const MAX_BLOCKS = 5_000;

/**
 * Returns Markdown as a flat list of blocks of plain, styled text (B10). Nothing in them is active: a link becomes its text and its
 * address, an image its description, and HTML tags are removed. The list is empty for text that must not be given to a parser.
 */
export function inertBlocks(markdown: string): InertBlock[] {
  if (!isParseable(markdown)) return [];
  const blocks: InertBlock[] = [];
  for (const child of parseMarkdown(markdown).children) addBlock(blocks, child, 0);
  return blocks.slice(0, MAX_BLOCKS);
}

function addBlock(blocks: InertBlock[], node: MarkdownNode, depth: number): void {
  const add = (kind: InertBlock["kind"], spans: Span[]): void => void blocks.push({ kind, depth, spans });
  switch (node.type) {
    case "heading":
      return add("heading", spansOf(node));
    case "code":
      return add("code", [plain(node.value)]);
    case "thematicBreak":
      return add("rule", []);
    case "html": {
      const text = node.value.replaceAll(/<!--[^]*?(?:-->|$)|<[^>]*>/g, "").trim();
      return text === "" ? undefined : add("paragraph", [plain(text)]);
    }
    case "table":
      for (const row of node.children) add("row", row.children.flatMap(cellSpans));
      return undefined;
    case "listItem": {
      const [first, ...rest] = node.children;
      const mark = node.checked === true ? "☑ " : node.checked === false ? "☐ " : "";
      add("item", [...(mark === "" ? [] : [plain(mark)]), ...(first === undefined ? [] : spansOf(first))]);
      for (const child of rest) addBlock(blocks, child, depth + 1);
      return undefined;
    }
    case "blockquote":
      for (const child of node.children) addBlock(blocks, child, depth + 1);
      return undefined;
    case "paragraph":
      return add("paragraph", spansOf(node));
    default:
      if ("children" in node) for (const child of node.children) addBlock(blocks, child, depth);
      return undefined;
  }
}

function cellSpans(cell: MarkdownNode, index: number): Span[] {
  const spans = spansOf(cell);
  if (index > 0) spans.unshift(plain(" │ "));
  return spans;
}

function spansOf(node: MarkdownNode, styles: Style[] = [], url: string | null = null): Span[] {
  switch (node.type) {
    case "text":
      return [{ text: node.value, styles, url }];
    case "inlineCode":
      return [{ text: node.value, styles: [...styles, "code"], url }];
    case "break":
      return [{ text: "\n", styles, url }];
    case "image":
    case "imageReference":
      return [{ text: `[image: ${node.alt ?? ""}]`, styles, url: node.type === "image" ? node.url : url }];
    case "html":
      return [];
    default: {
      if (!("children" in node)) return [{ text: textOf(node), styles, url }];
      const own = STYLES[node.type];
      const inner = own === undefined ? styles : [...styles, own];
      const address = node.type === "link" ? node.url : url;
      return node.children.flatMap((child) => spansOf(child, inner, address));
    }
  }
}

const STYLES: Readonly<Record<string, Style>> = { strong: "strong", emphasis: "emphasis", delete: "deleted" };

function plain(text: string): Span {
  return { text, styles: [], url: null };
}
