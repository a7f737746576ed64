import { z } from "zod";
import type { Claim } from "../../evidence/index.ts";
import { REDACTED } from "../../github/index.ts";

/** One verdict on a stored reproduction, by the parent's own runs. */
const checkSchema = z.strictObject({
  at: z.iso.datetime(),
  /** The Triage Batch, or the run of `afk-triage verify`. */
  runId: z.string(),
  /** The commit of the checkout that was run; null when git could not tell. */
  commit: z.string().nullable(),
  verdict: z.enum(["still-broken", "flaky", "fixed"]),
  matchedRuns: z.int().nonnegative(),
  runs: z.int().positive(),
  /** The grade of these runs as a marker has it; null in files of a version that made no control runs: ungraded (V11). */
  evidence: z.string().nullable().default(null),
});

/**
 * A reproduction that the parent has seen work, kept so that it can be run again without a Triage Agent (T8). The script is
 * untrusted text: it runs in a Coder workspace and nowhere else.
 */
export const storedReproductionSchema = z.strictObject({
  schema: z.literal("afk-triage/reproduction@1"),
  repo: z.string(),
  number: z.int().positive(),
  title: z.string(),
  script: z.string(),
  expect: z.strictObject({ exitCode: z.int().nullable(), outputContains: z.string().nullable() }),
  /** Equal for reproductions that fail alike; null when the output says too little to compare. */
  signature: z.string().nullable(),
  /** Newest last; the first is the verification that it was stored for. */
  checks: z.array(checkSchema).min(1),
});

export type StoredReproduction = z.infer<typeof storedReproductionSchema>;
export type ReproductionCheck = z.infer<typeof checkSchema>;

/** V11: without control runs a check says nothing of the product, so it is ungraded until it is run again. */
export function isGraded({ evidence }: ReproductionCheck): boolean {
  return evidence !== null && !evidence.startsWith("ungraded:");
}

/**
 * What looked like a secret was masked when it was stored (S18): it is not the reproduction that was verified, and what it shows now says
 * nothing about the bug.
 */
export function isMasked({ script, expect }: Claim): boolean {
  return [script, expect?.outputContains].some((text) => text?.includes(REDACTED));
}

/** Beyond this the oldest but the first are forgotten. */
const MAX_CHECKS = 50;

/** The reproduction with one check more. The first check and the newest ones are kept, MAX_CHECKS in all. */
export function withCheck(stored: StoredReproduction, check: ReproductionCheck): StoredReproduction {
  const [first, ...later] = stored.checks;
  const kept = [...later, check].slice(-(MAX_CHECKS - 1));
  return { ...stored, checks: first === undefined ? kept : [first, ...kept] };
}
