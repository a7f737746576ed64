import type { PhrasingContent } from "mdast";
import type { RepositoryName } from "./port.ts";

/** What GitHub would act on in plain text: it notifies people, links other issues, closes them, or opens a page. */
export interface InertRules {
  /** May be mentioned; null when the account is gone. */
  reporterLogin: string | null;
  /** Whose issues may be referred to; null: no issue may, for every reference leaves a trace on the other issue. */
  repo: RepositoryName | null;
}

/** Before a number they close that issue, or mark this one as its duplicate. */
const CLOSING_KEYWORD = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|duplicate of)$/i;

const ACTIVE = new RegExp(
  [
    // a URL of any scheme, also the bare ones GitHub links
    "(?:[a-z][a-z0-9+.-]{1,30}:\\/\\/|www\\.|(?:mailto|xmpp|\\bjavascript|\\bvbscript|\\bdata|\\bfile|\\btel|\\bsms):(?=\\S))[^\\s<|]+",
    // a mention, an e-mail address, owner/repo@commit
    "(?:(?<![\\w.+/-])[\\w.+/-]+)?(?:[@\\uff20\\ufe6b][A-Za-z0-9][\\w-]*(?:[./][\\w-]+)*)+",
    // #1, name#1, owner/repo#1, GH-1
    "(?<![\\w.-])(?:[\\w.-]+(?:\\/[\\w.-]+)?)?#\\d+",
    "\\bGH-\\d+",
    // a line that programs take as an order to label, merge or close
    "(?:^|(?<=\\n))\\/[a-z][\\w-]*(?![\\w/.])",
    // the first line of a coloured box
    "\\[![a-z]{1,20}\\]",
  ].join("|"),
  "gi",
);

/**
 * A text node with every such piece moved into inline code, where GitHub leaves it alone. What stays live: the
 * reporter's mention, and a plain reference to an issue of this repository that no closing keyword precedes.
 */
export function inertText(text: string, rules: InertRules, preceding = ""): PhrasingContent[] {
  const parts: PhrasingContent[] = [];
  let end = 0;
  for (const match of text.matchAll(ACTIVE)) {
    const [active] = match;
    const before = preceding + text.slice(0, match.index);
    if (/^\/[a-z][\w-]*$/i.test(active) ? isInLine(before) : isAllowed(active, before, rules)) continue;
    if (match.index > end) parts.push({ type: "text", value: text.slice(end, match.index) });
    parts.push({ type: "inlineCode", value: active });
    end = match.index + active.length;
  }
  if (end < text.length) parts.push({ type: "text", value: text.slice(end) });
  return parts;
}

function isInLine(before: string): boolean {
  return !/(?:^|\n)$/.test(before);
}

export function endsWithClosingKeyword(text: string): boolean {
  const before = text.trimEnd().replace(/:$/, "").trimEnd();
  return CLOSING_KEYWORD.test(before.slice(-400).replaceAll(/\s+/g, " ").slice(-40));
}

function isAllowed(active: string, before: string, rules: InertRules): boolean {
  if (active.startsWith("@")) {
    return rules.reporterLogin !== null && active.toLowerCase() === `@${rules.reporterLogin.toLowerCase()}`;
  }
  if (rules.repo === null) return false;
  const isOurs = active.startsWith("#") || active.toLowerCase().startsWith(`${rules.repo.toLowerCase()}#`);
  return isOurs && !endsWithClosingKeyword(before);
}
