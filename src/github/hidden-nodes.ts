import type { Code, Definition, Image, ImageReference, Link, Nodes } from "mdast";
import type { FlagRecorder } from "./hidden-text.ts";
import { textOf } from "./markdown.ts";
import type { Edit } from "./text-edits.ts";
import { visibleHtml } from "./visible-html.ts";

interface NodeFacts {
  /** The node's Markdown source. */
  source: string;
  /** For a definition: whether any text refers to it. */
  isReferenced: boolean;
}

/** Returns the edit that shows or removes what this node hides; null when it hides nothing. */
export function hiddenNodeEdit(node: Nodes, facts: NodeFacts, recorder: FlagRecorder): Edit | null {
  const [start, end] = rangeOf(node);
  if (node.type === "html") return { start, end, text: visibleHtml(facts.source, recorder) };
  if (node.type === "link")
    return emptyLinkEdit(node, recorder) ?? oddAddressEdit(node, recorder) ?? linkTitleEdit(node, recorder);
  if (node.type === "image" || node.type === "imageReference") return imageEdit(node, recorder);
  if (node.type === "definition") return definitionEdit(node, facts, recorder);
  if (node.type !== "code") return null;
  return drawnCodeEdit(node, facts.source, start, recorder) ?? codeInfoEdit(facts.source, start, recorder);
}

/**
 * Returns an edit that shows a link without text, because a reader sees neither the link nor its target; null: the link has text or
 * an image.
 */
function emptyLinkEdit(node: Link, recorder: FlagRecorder): Edit | null {
  if (textOf(node).trim() !== "" || node.children.some(({ type }) => type.startsWith("image"))) return null;
  recorder.record("empty-link", `${node.url} ${node.title ?? ""}`);
  const [start, end] = rangeOf(node);
  return { start, end, text: `(empty link: ${plain(node.url)})` };
}

/** Returns an edit that shows a link target that is not a URL but words or a whole document; null: the target is a URL. */
function oddAddressEdit(node: Link, recorder: FlagRecorder): Edit | null {
  if (!isOddAddress(node.url)) return null;
  recorder.record("link-address", node.url);
  const [start, end] = rangeOf(node);
  return { start, end, text: `${plain(textOf(node))} (address: ${plain(node.url)})` };
}

function isOddAddress(url: string): boolean {
  return /^data:|\s|%20\S*%20/i.test(url);
}

const plain = (text: string): string => text.replaceAll(/[[\]<>`]/g, "");

function linkTitleEdit(node: Link, recorder: FlagRecorder): Edit | null {
  if (typeof node.title !== "string") return null;
  recorder.record("link-title", node.title);
  const [start, end] = rangeOf(node);
  const last = node.children.at(-1);
  return {
    start: last === undefined ? start + 1 : rangeOf(last)[1],
    end,
    text: `](<${encodeAddress(node.url)}>)`,
  };
}

function imageEdit(node: Image | ImageReference, recorder: FlagRecorder): Edit | null {
  const [start, end] = rangeOf(node);
  const hidden = `${node.alt ?? ""} ${node.type === "image" ? (node.title ?? "") : ""}`.trim();
  const isUsual = /^(?:image)?$/i.test(hidden);
  if (!isUsual) recorder.record("image-text", hidden);
  if (node.type === "imageReference") return { start, end, text: "(image)" };
  return isUsual ? null : { start, end, text: `![](<${encodeAddress(node.url)}>)` };
}

function definitionEdit(node: Definition, facts: NodeFacts, recorder: FlagRecorder): Edit | null {
  const [start, end] = rangeOf(node);
  const isTitled = typeof node.title === "string";
  if (isTitled) recorder.record("link-title", node.title ?? "");
  const isOdd = isOddAddress(node.url);
  if (isOdd) recorder.record("link-address", node.url);
  if (facts.isReferenced && !isOdd) {
    const text = `[${node.label ?? ""}]: <${encodeAddress(node.url)}>`;
    return isTitled ? { start, end, text } : null;
  }
  // An unreferenced definition is invisible: `[//]: # (text)` is a well-known way to write a comment.
  if (!isOdd) recorder.record("link-definition", facts.source);
  return { start, end, text: `(link definition: ${plain(node.url)})` };
}

function codeInfoEdit(source: string, start: number, recorder: FlagRecorder): Edit | null {
  const fence = /^(`{3,}|~{3,})([^\n]*)/.exec(source);
  const info = fence?.[2]?.trim() ?? "";
  if (fence === null || /^[\w+#.-]{0,30}$/.test(info)) return null;
  recorder.record("code-info", info);
  const language = /^[\w+#.-]{0,30}(?=\s|$)/.exec(info)?.[0] ?? "";
  return { start, end: start + fence[0].length, text: `${fence[1] ?? ""}${language}` };
}

/**
 * Returns an edit that removes the comments of a diagram. GitHub renders this code as a diagram, so its source and its comments are
 * invisible. null: there is nothing to remove.
 */
function drawnCodeEdit({ lang }: Code, source: string, start: number, recorder: FlagRecorder): Edit | null {
  if (!/^(?:mermaid|math|geojson|topojson|stl)$/i.test(lang ?? "")) return null;
  recorder.record("drawn-code", source);
  const comment = /^mermaid$/i.test(lang ?? "") ? /%%.*/g : /(?<!\\)%.*/g;
  const text = /^(?:mermaid|math)$/i.test(lang ?? "") ? source.replaceAll(comment, "") : source;
  return text === source ? null : { start, end: start + source.length, text };
}

/** Returns a node's offsets in its Markdown source: the first character, and the one after the last. */
export function rangeOf(node: Nodes): [number, number] {
  return [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
}

function encodeAddress(url: string): string {
  return url.replaceAll(/[<>\s\\]/g, (character) => encodeURIComponent(character));
}
