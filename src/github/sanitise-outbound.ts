import type { LinkRules } from "./inert-link.ts";
import { inertText } from "./inert-text.ts";
import { inertTree } from "./inert-tree.ts";
import { fenced, isParseable, isTooDeep, parseMarkdown, writeMarkdown } from "./markdown.ts";
import { plainText, truncateWithNotice } from "./plain-text.ts";
import { redactSecrets } from "./secrets.ts";

/** GitHub answers 422 to a longer comment. */
export const COMMENT_MAX_CHARACTERS = 65_536;

/** Longer text is not parsed (the parser's worst cases grow with the square) but published as code. */
const PARSED_MAX_CHARACTERS = 20_000;

export type OutboundRules = LinkRules;

/**
 * Foreign Markdown as Markdown that is safe to publish in our name (S7, S10, S18): nobody is notified but the reporter,
 * nothing is closed, referenced, loaded or linked outside the allow-list, no HTML, and nothing in it can end a fence, a
 * table or a `<details>` around it. Repeated until nothing changes, so it is idempotent and its own check; text that
 * does not settle, or is too deep or too long to parse, is published as one code block.
 */
export function sanitiseOutbound(markdown: string, rules: OutboundRules): string {
  let text = redactSecrets(plainText(markdown)).trim();
  if (text.length > PARSED_MAX_CHARACTERS || !isParseable(text)) return asCode(text);
  for (let pass = 0; pass < 6; pass += 1) {
    const tree = parseMarkdown(text);
    if (isTooDeep(tree)) return asCode(text);
    const next = redactSecrets(plainText(writeMarkdown(inertTree(tree, rules)))).trim();
    if (next === text) return text;
    text = next;
  }
  return asCode(text);
}

/** Foreign text for one line: a table cell, a heading, a list item. No markup at all. */
export function sanitiseInline(text: string, rules: OutboundRules): string {
  const line = redactSecrets(plainText(text)).replaceAll(/\s+/g, " ").trim();
  const children = inertText(truncateWithNotice(line, 4_000).replaceAll("\n", " "), rules);
  return writeMarkdown({ type: "paragraph", children }).trim();
}

function asCode(text: string): string {
  return fenced(truncateWithNotice(text, COMMENT_MAX_CHARACTERS / 2), "text").trim();
}
