import type { Nodes, Text } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { parseMarker } from "../../../src/github/index.ts";

/**
 * Returns the parts of one of our comments that GitHub, a browser or a terminal would act on (S7, S10); empty if there are none.
 */
export function commentFaults(comment: string, reporter: string | null): string[] {
  const tree = fromMarkdown(comment, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const faults = [
    ...(parseMarker(comment) === null ? ["it does not begin with our marker"] : []),
    ...(comment.length > 65_536 ? ["it is longer than GitHub takes"] : []),
    ...characterFaults(comment),
    ...(/^\/[a-z][\w-]*(?:\s|$)/im.test(comment) ? ["a line that is an order to a program"] : []),
  ];
  const prose: string[] = [];
  visit(tree, null, (node, parent) => {
    faults.push(...nodeFaults(node, comment));
    // A line break inside a paragraph does not separate a keyword from its number.
    if (node.type === "text") prose.push(node.value);
    if (node.type === "break") prose.push("\n");
    if (node.type === "inlineCode" || node.type === "code") prose.push(" \u{fffc} ");
    if (parent === null || "children" in node) prose.push("");
  });
  return [...faults, ...proseFaults(prose.join(""), reporter)];
}

const ALLOWED_HTML = [
  /^<!-- afk-triage:v1 [^<>]+ -->$/,
  /^<details><summary>(?:Evidence|Details)<\/summary>$/,
  /^<\/details>$/,
];

function nodeFaults(node: Nodes, comment: string): string[] {
  switch (node.type) {
    case "html":
      return ALLOWED_HTML.some((allowed) => allowed.test(node.value.trim()))
        ? []
        : [`html: ${shown(node.value)}`];
    case "image":
    case "imageReference":
      return ["an image"];
    case "footnoteDefinition":
    case "footnoteReference":
    case "definition":
    case "linkReference":
      return [`a ${node.type}`];
    case "link":
      return /^http[^ ]+\/octo\/widgets\/(?:blob|tree)\//.test(node.url)
        ? []
        : [`a link to ${shown(node.url)}`];
    case "code":
      return /^(?:mermaid|math|geojson|topojson|stl|suggestion)/i.test(node.lang ?? "")
        ? [`a ${node.lang} block is drawn`]
        : [];
    case "heading": {
      const text = comment.slice(node.position?.start.offset, node.position?.end.offset);
      return OUR_HEADINGS.test(text) ? [] : [`a heading: ${shown(text)}`];
    }
    case "text": {
      const source = comment.slice(node.position?.start.offset, node.position?.end.offset);
      return /(?<!\\)\$/.test(source) || /^\$|\$$/.test(besideCode(node, comment)) ? ["a formula"] : [];
    }
    case "listItem":
      return node.checked === true ? ["a ticked box"] : [];
    case "blockquote": {
      const [first] = node.children;
      const text = first?.type === "paragraph" ? first.children[0] : undefined;
      return text?.type === "text" && /^\[![a-z]+\]/i.test(text.value) ? ["an alert"] : [];
    }
    default:
      return [];
  }
}

/** Returns the characters of a text that touch a code span, because a `$` there turns the span into a formula. */
function besideCode({ position, value }: Text, comment: string): string {
  const [before, after] = [
    comment[(position?.start.offset ?? 0) - 1],
    comment[position?.end.offset ?? comment.length],
  ];
  return `${before === "`" ? value.slice(0, 1) : " "}${after === "`" ? value.slice(-1) : " "}`;
}

const OUR_HEADINGS =
  /^### (?:Established(?: so far)?|What was tried|What is needed|Notes|Open questions|Current behavior|Desired behavior|Key interfaces|Acceptance criteria|Out of scope|Reproduction|What the triage program saw|Brief|Reason|Proposed .*|Why.*)$/;

function proseFaults(prose: string, reporter: string | null): string[] {
  const mentions = [...prose.matchAll(/(?<![\w`])[@\u{ff20}]([a-z0-9][a-z0-9-]*(?:\/[\w-]+)?)/giu)]
    .map(([, login = ""]) => login)
    .filter((login) => login.toLowerCase() !== reporter?.toLowerCase());
  const closing = prose.match(
    /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s*:?\s*(?:[\w.-]+\/[\w.-]+)?(?:#|GH-)\d+/gi,
  );
  const references = prose.match(/(?:[\w.-]+\/[\w.-]+|\w)#\d+|\bGH-\d+|[\w.-]+\/[\w.-]+@[0-9a-f]{7,}/gi);
  const addresses = prose.match(
    /\b[a-z][a-z0-9+.-]{1,20}:\/\/\S+|\bwww\.\S+|(?:javascript|data|vbscript):\S+/gi,
  );
  return [
    ...mentions.map((login) => `a mention of ${login}`),
    ...(closing ?? []).map((words) => `closes: ${shown(words)}`),
    ...(references ?? []).map((words) => `refers to ${shown(words)}`),
    ...(addresses ?? []).map((words) => `a live address: ${shown(words)}`),
  ];
}

/**
 * Returns the faults in a text's characters: bytes that terminals act on or that readers do not see, and lines that a CI runner
 * takes for commands.
 */
export function characterFaults(text: string): string[] {
  const odd =
    /[\x00-\x08\x0b-\x1f\x7f-\x9f\u{ad}\u{61c}\u{115f}\u{1160}\u{180e}\u{200b}\u{200c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{e0000}-\u{e007f}]/u;
  const found = odd.exec(text);
  return [
    ...(found === null ? [] : [`the character U+${found[0].codePointAt(0)?.toString(16)}`]),
    ...(/^\s*::/m.test(text) ? ["a line that begins with ::"] : []),
    ...(text.includes("##[") ? ["##["] : []),
  ];
}

function visit(node: Nodes, parent: Nodes | null, see: (node: Nodes, parent: Nodes | null) => void): void {
  see(node, parent);
  if ("children" in node) for (const child of node.children) visit(child, node, see);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
