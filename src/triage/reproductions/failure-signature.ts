import { createHash } from "node:crypto";
import type { ReproductionRun } from "../verification.ts";

/** Lines that say what failed; the others say what the program did on its way there. */
const TELLING = /error|exception|panic|assert|fail|fatal|traceback|cannot|undefined|segmentation|abort/i;
const MAX_LINES = 3;
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
  const lines = outputExcerpt
    .split("\n")
    .map(normalised)
    .filter((line) => line !== "");
  const telling = lines.filter((line) => TELLING.test(line)).slice(0, MAX_LINES);
  const said = telling.length > 0 ? telling : lines.slice(-MAX_LINES);
  if (said.join("").replaceAll(/[^a-z]/gi, "").length < MIN_LETTERS) return null;
  return createHash("sha256")
    .update(JSON.stringify([exitCode, said]))
    .digest("hex");
}

function normalised(line: string): string {
  return line
    .replaceAll(/(?:[A-Za-z]:)?(?:[\w.~-]*[/\\])+/g, "")
    .replaceAll(/0x[0-9a-f]+/gi, "#")
    .replaceAll(/\b[0-9a-f]{7,64}\b/gi, "#")
    .replaceAll(/\d+(?:\.\d+)*/g, "#")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}
