import { createHash } from "node:crypto";
import type { Observation } from "../../evidence/index.ts";
import type { Issue } from "../../github/index.ts";
import type { Outcome } from "../outcome.ts";
import { findSecuritySign, SECURITY_LABEL } from "../security-signs/index.ts";
import type { Verification } from "../verification.ts";

/**
 * Returns whether the reporter's text, an issue form or a label says that this is a vulnerability report, which should have been
 * sent privately. This is the first gate for vulnerability reports (S16), and it needs no Triage Agent. false does not mean that
 * the issue is safe to repeat in public.
 */
export function looksLikeSecurityReport(
  { title, body, labels }: Pick<Issue, "title" | "body" | "labels">,
  reporterComments: readonly string[],
): boolean {
  if (labels.some((label) => SECURITY_LABEL.test(label))) return true;
  return [`${title}\n${body}`, ...reporterComments].some(isSuspiciousAsBefore);
}

/** The earlier verdicts by the text's hash, the oldest first. */
const judged = new Map<string, boolean>();
const MAX_JUDGED = 20_000;

/**
 * Returns whether the text is suspicious. The verdict is cached, because a Triage Run checks the same text of the reporter at
 * every step.
 */
function isSuspiciousAsBefore(text: string): boolean {
  const hash = createHash("sha256").update(text).digest("base64");
  const verdict = judged.get(hash) ?? isSuspicious(text);
  judged.set(hash, verdict);
  const [oldest] = judged.keys();
  if (judged.size > MAX_JUDGED && oldest !== undefined) judged.delete(oldest);
  return verdict;
}

/**
 * Returns whether an issue's own text looks like a vulnerability report and therefore may not be stored with the text of other
 * issues (S16). It is for callers that have not read the comments.
 */
export function mayReportVulnerability(issue: Pick<Issue, "title" | "body" | "labels">): boolean {
  return looksLikeSecurityReport(issue, []);
}

/**
 * Returns whether the Triage Agent declares a vulnerability, or any text of its outcome looks like one. These are the second and
 * the third gate for vulnerability reports (S16).
 */
export function proposesSecurityReport(outcome: Outcome): boolean {
  const { level } = outcome.security;
  return level === "suspected" || level === "confirmed" || textsOf(outcome).some(isSuspicious);
}

/**
 * Returns whether output of the parent's own runs of the reproduction looks like a vulnerability report. This is another part of
 * the third gate for vulnerability reports (S16).
 */
export function showsSecurityReport(runs: Verification | readonly Observation[]): boolean {
  return textsOf(runs).some(isSuspicious);
}

/**
 * Returns the verdict of the second and third gate for text that was written instead of an outcome. A `security` field that does
 * not say `none` counts, however it is spelled.
 */
export function writesSecurityReport(words: string): boolean {
  const declared =
    /"security"\s{0,40}:\s{0,40}(?!\{\s{0,40}"(?:level"\s{0,40}:\s{0,40}"none"|kind"\s{0,40}:\s{0,40}null))\S/;
  return declared.test(words) || isSuspicious(words);
}

function isSuspicious(text: string): boolean {
  return findSecuritySign(text) !== null;
}

/** Returns every string inside a value, without the names of keys. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
