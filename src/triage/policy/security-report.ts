import { removeInvisible } from "../../github/index.ts";
import type { Outcome } from "../outcome.ts";

/**
 * S16: whether a report reads like a vulnerability that should have come in private. Defects that are commonly reported
 * in public, such as prototype pollution or a slow regular expression, are bugs like others unless their reporter calls
 * them a vulnerability. A report that is taken for one costs a maintainer a look; the other mistake publishes an attack.
 */
export function looksLikeSecurityReport(
  issue: { title: string; body: string },
  reporterComments: readonly string[] = [],
): boolean {
  return soundsLikeSecurity([issue.title, issue.body, ...reporterComments].join("\n"));
}

/** The Triage Agent may see what the reporter did not; its “this is no security issue” is not taken for the opposite. */
export function proposesSecurityReport({
  summary,
  established,
  questions,
  brief,
  wontfix,
}: Outcome): boolean {
  const texts = [summary, ...established, ...questions, brief?.currentBehavior ?? "", wontfix?.reason ?? ""];
  const denied =
    /\b(?:no|not|never|isn't|without)\b(?:[ \t]+[\w-]+){0,3}[ \t]+(?:vulnerab|security|exploit)\w*(?:[ \t]\w+)?/gi;
  return soundsLikeSecurity(texts.join("\n").replaceAll(denied, ""));
}

function soundsLikeSecurity(words: string): boolean {
  // Bounded, like everything a stranger's text is matched against.
  const text = removeInvisible(words.slice(0, 70_000).normalize("NFKC")).replaceAll(
    /\b(?:\p{L}[ ._*-]){5,40}\p{L}\b/gu,
    (spaced) => spaced.replaceAll(/[ ._*-]/g, ""),
  );
  return SIGNS.some((sign) => sign.test(text));
}

const SIGNS: readonly RegExp[] = [
  /\bvulnerab(?:le|ility|ilities)\b|\bvulns?\b/i,
  /\bsecurity (?:issue|hole|flaw|bug|problem|report|disclosure|risk|weakness|advisory|breach)\b/i,
  /\b(?:responsible|coordinated) disclosure\b|\bbug bounty\b|\bCVSS\b/i,
  /\bCVE-\d{4}-\d{3,}|\bGHSA(?:-\w{4}){2,3}\b|\bCWE-\d{1,4}\b/i,
  /\b(?:remote|arbitrary|unauthenticated) (?:code|command)\b/i,
  /\bRCE\b/,
  /\b(?:lets?|allows?) (?:an?yone|any(?:one)?|attackers?|others|you|users?)\b.{0,40}\b(?:run|execute) (?:arbitrary |any |their )?(?:code|commands?)\b/i,
  /\b(?:sql|nosql|command|shell|code|template|header|crlf|ldap|xpath|html|script|argument|object) injection\b|\bSQLi\b/i,
  /\bcross[- ]site (?:scripting|request forgery)\b|\b(?:XSS|CSRF|SSRF|XXE|SSTI|IDOR|LFI)\b/i,
  /\b(?:path|directory) traversal\b|\bzip[- ]slip\b|\.\.\/\.\.\/etc\/passwd/i,
  /\barbitrary (?:file|memory|object)s?\b|\binsecure direct object\b/i,
  /\bbypass\w*\b.{0,30}\b(?:auth\w*|login|passwords?|permissions?|access|sandbox|csp|cors|signatures?|security)\b/i,
  /\b(?:auth\w*|login|passwords?|permissions?|access (?:control|check)|sandbox|signatures?|security)\b.{0,30}\bbypass\w*\b/i,
  /\bprivilege escalation\b|\bescalat\w+ (?:of )?privileges?\b/i,
  /\bsandbox (?:escape|breakout)\b|\b(?:escap\w+|break\w* out of) (?:the|a) (?:sandbox|container|jail)\b/i,
  /\b(?:session|cookie|account|token|credential)s? (?:fixation|hijack\w*|takeover|theft|stealing)\b/i,
  /\bclick-?jacking\b|\bman[- ]in[- ]the[- ]middle\b|\bMITM\b|\btiming attack\b|\bside[- ]channel\b/i,
  /\b(?:insecure|unsafe|untrusted) deseriali[sz]ation\b/i,
  /\b(?:heap|buffer)[- ](?:buffer[- ])?over(?:flow|run|-?read)\b|\buse[- ]after[- ]free\b|\bdouble free\b/i,
  /\bopen redirect(?:s|ion)?\b|\bzero[- ]?day\b|\b0-?day\b|\bback-?door\b/i,
  /\bexploit(?:s|ed|able|ation|ing)?\b|\b(?:an?|the|remote) (?:attacker|adversary)\b|\bmalicious (?:users?|actors?|payloads?)\b/i,
  /\b(?:PoC|proof[- ]of[- ]concept)\b.{0,120}\b(?:shell|payload|execut\w+|attack|crash\w*)\b/is,
  /(?<!\bmemory )\b(?:leak|expos|disclos)(?:s|es|e|ed|ing|ure|ures)?\b.{0,40}\b(?:tokens?|secrets?|credentials?|passwords?|(?:api|private|secret|access)[- ]keys?|cookies?)\b/i,
  /\b(?:tokens?|secrets?|credentials?|passwords?|(?:api|private|secret|access)[- ]keys?)\b.{0,30}(?<!\bmemory )\b(?:leak|expos|disclos)(?:s|es|e|ed|ing|ure)?\b/i,
  /\bhard-?coded (?:\w+ )?(?:secrets?|passwords?|credentials?|keys?|tokens?)\b/i,
  /\b(?:read|see|access|edit|delete|change) (?:other|another|someone else's|anybody's) (?:users?|accounts?|customers?|tenants?|data)\b/i,
  /Sicherheitsl(?:ü|ue)cke|Schwachstelle|vuln[ée]rabilit[éà]|vulnerabili(?:dad|dade|tà)|уязвимост|脆弱性|漏洞|취약점/i,
];
