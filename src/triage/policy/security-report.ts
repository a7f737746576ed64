import { removeInvisible } from "../../github/index.ts";
import type { Outcome } from "../outcome.ts";
import { SECURITY_SIGNS } from "./security-signs.ts";

/**
 * S16: whether a report reads like a vulnerability that should have come in private. Defects that are commonly reported
 * in public, such as prototype pollution or a slow regular expression, are bugs like others unless their reporter calls
 * them a vulnerability. A report that is taken for one costs a maintainer a look; the other mistake publishes an attack.
 */
export function looksLikeSecurityReport(
  issue: { title: string; body: string },
  reporterComments: readonly string[] = [],
): boolean {
  return [`${issue.title}\n${issue.body}`, ...reporterComments].some(soundsLikeSecurity);
}

/** The Triage Agent may see what the reporter did not. */
export function proposesSecurityReport({
  summary,
  established,
  questions,
  brief,
  wontfix,
}: Outcome): boolean {
  const texts = [summary, ...established, ...questions, brief?.currentBehavior ?? "", wontfix?.reason ?? ""];
  return callsItSecurityReport(texts.join("\n"));
}

/** “This is no security issue” is not taken for the opposite. */
export function callsItSecurityReport(words: string): boolean {
  const denied =
    /\b(?:no|not|never|isn't|without)\b(?:[ \t]+[\w-]+){0,3}[ \t]+(?:vulnerab|security|exploit)\w*(?:[ \t]\w+)?/gi;
  return soundsLikeSecurity(words.slice(0, MAX_CHARACTERS).replaceAll(denied, ""));
}

/** Bounded, like everything a stranger's text is matched against; longer than GitHub lets a body be. */
const MAX_CHARACTERS = 70_000;

function soundsLikeSecurity(words: string): boolean {
  const text = removeInvisible(words.slice(0, MAX_CHARACTERS).normalize("NFKC")).replaceAll(
    /\b(?:\p{L}[ ._*-]){5,40}\p{L}\b/gu,
    (spaced) => spaced.replaceAll(/[ ._*-]/g, ""),
  );
  return SECURITY_SIGNS.some((sign) => sign.test(text));
}
