import type { Link, PhrasingContent } from "mdast";
import type { InertRules } from "./inert-text.ts";
import { textOf } from "./markdown.ts";

export interface LinkRules extends InertRules {
  /**
   * Links may lead below these, e.g. `https://github.com/owner/repo/blob/`, to what a branch or tag names. Everything else is
   * shown, not linked: below the same address GitHub also shows commits of forks and of pull requests.
   */
  allowedUrlPrefixes: readonly string[];
}

/** A link the allow-list covers, or its text followed by the address as code. `shown` is its inert content. */
export function inertLink(
  link: Link,
  shown: readonly PhrasingContent[],
  context: { rules: LinkRules; isClosing: boolean },
): PhrasingContent[] {
  const target = context.isClosing ? null : allowedUrl(link.url, context.rules);
  if (target !== null) return [{ type: "link", url: target, children: shown.map(withoutLinks) }];
  const address = link.url.replace(/^mailto:/, "");
  if (address === "") return [...shown];
  const isItsOwnText = [address, address.replace(/^https?:\/\//, "")].includes(textOf(link));
  const code: PhrasingContent = { type: "inlineCode", value: isItsOwnText ? textOf(link) : address };
  return isItsOwnText ? [code] : [...shown, { type: "text", value: " " }, code];
}

/** A commit by its hash, or a ref that a pull request makes. */
const ANYBODYS = /\/(?:blob|tree|raw|blame|commits?)\/(?:[0-9a-f]{7,64}|refs|pull|%)(?:[/?#%]|$)/i;

/** The normalised URL when it lies below an allowed prefix; null otherwise. */
function allowedUrl(url: string, rules: LinkRules): string | null {
  if (!URL.canParse(url)) return null;
  const { href, username, password, protocol } = new URL(url);
  if (protocol !== "https:" || username !== "" || password !== "") return null;
  const isBelow = rules.allowedUrlPrefixes.some(
    (prefix) =>
      href === prefix ||
      (href.startsWith(prefix) && (prefix.endsWith("/") || /^[/?#]/.test(href.slice(prefix.length)))),
  );
  return isBelow && !ANYBODYS.test(href) ? href : null;
}

function withoutLinks(node: PhrasingContent): PhrasingContent {
  return node.type === "link" ? { type: "inlineCode", value: textOf(node) } : node;
}
