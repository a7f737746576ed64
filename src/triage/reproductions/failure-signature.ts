import { createHash } from "node:crypto";
import { failureLines } from "../../evidence/index.ts";
import type { ReproductionRun } from "../verification.ts";

/** Texts with fewer letters can be equal for unrelated failures. */
const MIN_LETTERS = 16;

/**
 * Returns the failure signature of the runs: the SHA-256, in hexadecimal, of exit code and significant lines, without details
 * that differ between machines or times (paths, numbers, addresses, times). null: the runs differ from each other, or their
 * output is too short.
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
