import { z } from "zod";
import type { Claim } from "../../evidence/index.ts";
import { REDACTED } from "../../github/index.ts";

/** One verdict on a stored reproduction, by the parent's own runs. */
const checkSchema = z.strictObject({
  at: z.iso.datetime(),
  /** The Triage Batch, or the run of `afk-triage verify`. */
  runId: z.string(),
  /** The commit of the checkout that was run; null: git could not report it. */
  commit: z.string().nullable(),
  verdict: z.enum(["still-broken", "flaky", "fixed"]),
  matchedRuns: z.int().nonnegative(),
  runs: z.int().positive(),
  /**
   * The grade of these runs, in the form of the marker; null: ungraded, in files of a version that made no control runs (V11).
   */
  evidence: z.string().nullable().default(null),
});

/**
 * A reproduction that the parent has verified, stored so that it can be run again without a Triage Agent (T8). The script is
 * untrusted text: it runs only in a Coder workspace.
 */
export const storedReproductionSchema = z.strictObject({
  schema: z.literal("afk-triage/reproduction@1"),
  repo: z.string(),
  number: z.int().positive(),
  title: z.string(),
  script: z.string(),
  expect: z.strictObject({ exitCode: z.int().nullable(), outputContains: z.string().nullable() }),
  /**
   * The failure signature, which is equal for reproductions that fail in the same way; null: the output is too short to compare.
   */
  signature: z.string().nullable(),
  /** The checks, the newest last. The first is the verification that led to the storage. */
  checks: z.array(checkSchema).min(1),
});

export type StoredReproduction = z.infer<typeof storedReproductionSchema>;
export type ReproductionCheck = z.infer<typeof checkSchema>;

/**
 * Returns whether the check is graded (V11). Without control runs a check says nothing about the product, so it is ungraded until
 * it is run again.
 */
export function isGraded({ evidence }: ReproductionCheck): boolean {
  return evidence !== null && !evidence.startsWith("ungraded:");
}

/**
 * Returns whether a text that looked like a secret was masked when the reproduction was stored (S18). It is then not the
 * reproduction that was verified, and its runs say nothing about the bug.
 */
export function isMasked({ script, expect }: Claim): boolean {
  return [script, expect?.outputContains].some((text) => text?.includes(REDACTED));
}

/** If there are more, the oldest are dropped, except the first. */
const MAX_CHECKS = 50;

/** Returns the reproduction with one more check. The first check and the newest ones are kept, MAX_CHECKS in total. */
export function withCheck(stored: StoredReproduction, check: ReproductionCheck): StoredReproduction {
  const [first, ...later] = stored.checks;
  const kept = [...later, check].slice(-(MAX_CHECKS - 1));
  return { ...stored, checks: first === undefined ? kept : [first, ...kept] };
}
