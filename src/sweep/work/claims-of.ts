import type { BatchContext } from "../../triage/index.ts";
import { type AssessedIssue, isMasked, reporterComments } from "../../triage/index.ts";
import { findInIssue, type FoundReproduction } from "../found/index.ts";
import type { SweptIssue } from "../swept/index.ts";

/**
 * Returns the reproductions of an issue that need no Triage Agent, the most trusted first: one that an earlier sweep ran, the one
 * stored in the home, those in the reporter's own texts, and a repository or playground to which they link. Reproductions in which
 * a secret was masked are omitted.
 */
export async function claimsOf(
  { issue, comments }: Pick<AssessedIssue, "issue" | "comments">,
  before: SweptIssue | null,
  { reproductions }: Pick<BatchContext["ports"], "reproductions">,
): Promise<FoundReproduction[]> {
  const known: FoundReproduction[] = [];
  const { verdict = null, reproduction = null } = before ?? {};
  if (reproduction !== null && (verdict?.type === "fixed" || verdict?.type === "still-broken"))
    known.push({ ...reproduction, origin: "stored", said: [] });
  // `verify` reports a file that cannot be read. Here the issue's own text may suffice.
  const stored = await reproductions.read(issue.ref).catch(() => null);
  if (stored !== null)
    known.push({ origin: "stored", script: stored.script, expect: stored.expect, said: [] });
  const found = findInIssue([issue.body, ...reporterComments({ issue, comments })], issue.ref.repo);
  const scripts = new Set<string>();
  return [...known.filter((one) => !isMasked(one)), ...found].filter(({ script }) => {
    const isNew = !scripts.has(script);
    scripts.add(script);
    return isNew;
  });
}
