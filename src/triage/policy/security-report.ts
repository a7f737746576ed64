/**
 * S16: whether a report reads like a vulnerability that should have come in private. Only words of the report itself
 * count. Defects that are commonly reported in public, such as prototype pollution or a slow regular expression, are
 * bugs like others unless their reporter calls them a vulnerability.
 */
export function looksLikeSecurityReport(issue: { title: string; body: string }): boolean {
  // Bounded, like everything a stranger's text is matched against.
  const text = `${issue.title}\n${issue.body}`.slice(0, 70_000);
  return SIGNS.some((sign) => sign.test(text));
}

const SIGNS: readonly RegExp[] = [
  /\bvulnerabilit(?:y|ies)\b/i,
  /\bsecurity (?:issue|hole|flaw|bug|problem|report|disclosure)\b/i,
  /\bresponsible disclosure\b/i,
  /\b(?:remote|arbitrary) (?:code|command) execution\b/i,
  /\bRCE\b/,
  /\b(?:sql|command|shell|code) injection\b/i,
  /\bcross[- ]site (?:scripting|request forgery)\b/i,
  /\b(?:XSS|CSRF|SSRF|XXE)\b/,
  /\b(?:path|directory) traversal\b/i,
  /\b(?:authentication|authorization|auth) bypass\b/i,
  /\bprivilege escalation\b/i,
  /\bzero[- ]?day\b|\b0-?day\b/i,
  /\bexploit(?:s|ed|able|ation)?\b/i,
];
