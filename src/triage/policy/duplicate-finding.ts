import type { CandidateReasons, DuplicateCandidate } from "../../duplicates/index.ts";
import { describeSameCause, type ProvenCause } from "../../evidence/index.ts";
import type { Issue } from "../../github/index.ts";
import type { Outcome } from "../outcome.ts";
import type { Verification } from "../verification.ts";

/** Another issue of which this one is a duplicate; without a proof, only possibly. */
export interface DuplicateFinding {
  readonly number: number;
  readonly state: "open" | "closed";
  /** null: the Triage Agent only chose it from the candidates. */
  readonly proof: ProvenCause | null;
  /** Sentences for people; parts of them are untrusted text. */
  readonly reasons: readonly string[];
}

export interface DuplicateFacts {
  readonly issue: Pick<Issue, "ref">;
  readonly outcome: Pick<Outcome, "duplicateOf">;
  readonly verification: Verification;
  /** The issues that the Triage Agent could choose from. */
  readonly offered: readonly DuplicateCandidate[];
}

/**
 * Returns the duplicate that is reported, if any (D2). A proof takes precedence over the Triage Agent's choice (D5). Of the
 * proven issues the oldest open one is used; if all are closed, the oldest. An issue can only be a duplicate of an older one
 * (D6): a newer issue with the same cause is a duplicate of this one. A choice that is not a candidate is rejected.
 */
export function duplicateFinding({ issue, outcome, verification, offered }: DuplicateFacts): {
  finding: DuplicateFinding | null;
  isRefused: boolean;
} {
  const chosen = offered.find(({ number }) => number === outcome.duplicateOf);
  const isRefused = outcome.duplicateOf !== null && chosen === undefined;
  const compared = "insight" in verification ? verification.insight.compared : [];
  const older = compared
    .filter(({ number }) => number < issue.ref.number)
    .flatMap(({ cause, ...rest }) => (cause.type === "proven" ? [{ ...rest, proof: cause }] : []))
    .toSorted((a, b) => a.number - b.number);
  const proven = older.find(({ state }) => state === "open") ?? older[0];
  if (proven !== undefined)
    return { finding: { ...proven, reasons: [describeSameCause(proven.proof)] }, isRefused };
  if (chosen === undefined) return { finding: null, isRefused };
  const { number, state, why } = chosen;
  return { finding: { number, state, proof: null, reasons: describeReasons(why) }, isRefused };
}

function describeReasons({ words, frames, errors }: CandidateReasons): string[] {
  return [
    ...(words.length === 0 ? [] : [`Shared words: ${words.join(", ")}`]),
    ...(frames.length === 0 ? [] : [`Shared stack frames: ${frames.join(", ")}`]),
    ...(errors.length === 0 ? [] : [`Shared error text: ${errors.join("; ")}`]),
  ];
}
