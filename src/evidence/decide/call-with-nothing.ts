import type { CallWithNothing } from "../controls/index.ts";

/** Matches how people say that a function gets no value. */
const NOTHING =
  /\b(?:no|without|missing|empty|omit\w*|absent) (?:an? |any |the |its )?(?:\w+ )?(?:arg\w*|param\w*|values?|inputs?|options?|text|string|object|config\w*)\b|\bnil\b|\bnullish\b|\bundefined\b|\bnull\b/i;

/** Returns whether an issue is about a call without an argument: it says that an argument is missing, or quotes the error. */
export function isNamedInIssue({ message }: CallWithNothing, issueText: string): boolean {
  return NOTHING.test(issueText) || issueText.includes(message);
}
