import { messageOf } from "agent-tty/kit";
import { type Range, sameCauseInPlace } from "../../../evidence/index.ts";
import type { IssueRef } from "../../../github/index.ts";
import { isGraded, isMasked, type StoredReproduction } from "../../reproductions/index.ts";
import type { ComparedIssue } from "../../verification.ts";
import type { BatchPorts } from "../batch-context.ts";
import type { BatchSettings } from "../settings.ts";
import { languageAdapters } from "./language-adapters.ts";
import type { InsightPorts, VerificationRequest } from "./verify-reproduction.ts";

/** The bug that was just verified, and the issues it may be the same as. */
export interface ProofSubject {
  readonly ref: IssueRef;
  /** A commit that shows the bug. */
  readonly bad: string;
  readonly range: Range;
  /** The numbers of those issues, the most likely first. */
  readonly numbers: readonly number[];
}

interface ComparisonDeps {
  settings: Pick<BatchSettings, "duplicates">;
  ports: Pick<BatchPorts, "reproductions" | "reader">;
}

/** The part of the remaining time that comparisons may use; the rest is for publishing and deleting. */
const TIME_SHARE = 0.5;

/**
 * Returns, for other issues, whether they have the same cause as the bug (D5). It compares the bug with the issues that have a
 * verified reproduction in this home, in the place of the verification. Bounded by `duplicates.proofs` pairs and
 * `duplicates.proofTime`. Rejects when the place is lost.
 */
export async function proveDuplicates(
  { ref, bad, range, numbers }: ProofSubject,
  { reproduction, source, timeoutMs, directory }: VerificationRequest,
  { workspace, clock, signal, remainingMs, tell }: InsightPorts,
  { settings, ports }: ComparisonDeps,
): Promise<ComparedIssue[]> {
  const { proofs, proofMs } = settings.duplicates;
  const others = await comparable({ numbers, ref, limit: proofs, signal }, ports);
  const compared: ComparedIssue[] = [];
  for (const other of others) {
    const step = `comparison with #${other.stored.number}`;
    tell(step);
    const share = (remainingMs() * TIME_SHARE) / (others.length - compared.length);
    const cause = await sameCauseInPlace(
      {
        first: { claim: { script: reproduction.script, expect: reproduction.expect }, bad, range },
        second: { claim: other.stored, bad: other.bad, range: null },
        setup: source.settings.setup,
        timeoutMs,
        adapters: languageAdapters(),
        budgetMs: Math.min(proofMs, share),
      },
      { workspace, directory, clock, signal, remainingMs, tell: (inner) => tell(`${step}, ${inner}`) },
    );
    compared.push({ number: other.stored.number, state: other.state, cause });
  }
  return compared;
}

interface Comparable {
  stored: StoredReproduction;
  state: ComparedIssue["state"];
  bad: string;
}

interface ComparableRequest extends Pick<ProofSubject, "numbers" | "ref"> {
  limit: number;
  signal: AbortSignal;
}

/**
 * Returns the issues whose reproduction was verified with control runs on a known commit, and is neither flaky nor masked.
 * Deleted or moved issues are excluded, because a comment cannot link to them.
 */
async function comparable(
  { numbers, ref: { repo }, limit, signal }: ComparableRequest,
  { reproductions, reader }: ComparisonDeps["ports"],
): Promise<Comparable[]> {
  const found: Comparable[] = [];
  for (const number of new Set(numbers)) {
    if (found.length >= limit) break;
    const stored = await reproductions.read({ repo, number }).catch((error: unknown) => {
      throw new Error(`the stored reproduction of ${repo}#${number}: ${messageOf(error)}`);
    });
    const seen = stored?.checks.findLast(
      ({ verdict, commit }) => verdict === "still-broken" && commit !== null,
    );
    if (stored === null || seen?.commit == null || !isGraded(seen) || isMasked(stored)) continue;
    if (stored.checks.some(({ verdict }) => verdict === "flaky")) continue;
    const lookup = await reader.issue({ repo, number }, signal);
    if (lookup.type === "gone") continue;
    found.push({ stored, state: lookup.issue.state, bad: seen.commit });
  }
  return found;
}
