import { createHash } from "node:crypto";
import { failureLines } from "../../evidence/index.ts";
import type { ReproductionRun } from "../verification.ts";

/** Fewer letters than this are shared by failures that have nothing to do with each other. */
const MIN_LETTERS = 16;

/**
 * The common part of runs that fail alike: exit code and significant lines, without details that differ between
 * machines or minutes (paths, numbers, addresses, times). null when the runs differ among themselves or say too
 * little. SHA-256, hex.
 */
export function failureSignature(runs: readonly ReproductionRun[]): string | null {
  const failing = runs.filter(({ matched }) => matched);
  const signatures = new Set(failing.map(signatureOf));
  const [signature = null] = signatures;
  return signatures.size === 1 ? signature : null;
}

function signatureOf({ exitCode, outputExcerpt }: ReproductionRun): string | null {
  const said = failureLines(outputExcerpt);
  if (said.join("").replaceAll(/[^a-z]/gi, "").length < MIN_LETTERS) return null;
  return createHash("sha256")
    .update(JSON.stringify([exitCode, said]))
    .digest("hex");
}
