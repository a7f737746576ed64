import type { Person } from "./port.ts";
import { EMPTY_MARKDOWN, type Markdown } from "./published-markdown.ts";

/** A login of GitHub; that of an enterprise's managed user ends with `_` and the enterprise's short code. */
const LOGIN = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}(?:_[A-Za-z0-9]{1,38})?$/;

/**
 * Returns `, @login` for the reporter of an issue, the only person whom a comment may notify (S7). Returns nothing for a bot, a
 * deleted account, and a login with characters that GitHub does not allow.
 */
export function reporterMention(author: Person | null): Markdown {
  const isPerson = author !== null && !author.isBot && LOGIN.test(author.login);
  return isPerson ? (`, @${author.login}` as Markdown) : EMPTY_MARKDOWN;
}
