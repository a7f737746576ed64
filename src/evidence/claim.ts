import { createHash } from "node:crypto";

/** The claim of a reproduction: the script, and how to recognise its failure. The script is untrusted text. */
export interface Claim {
  readonly script: string;
  readonly expect: {
    readonly exitCode: number | null;
    readonly outputContains: string | null;
  } | null;
}

/** By which what runs is known to be what was proposed: SHA-256 of the script, hex. */
export function scriptHash(script: string): string {
  return createHash("sha256").update(script).digest("hex");
}

/** A run shows the claim when it shows everything that the claim names; a claim that names nothing is never shown. */
export function showsClaim(claim: Pick<Claim, "expect">, exitCode: number | null, output: string): boolean {
  const { expect } = claim;
  if (expect === null || exitCode === null) return false;
  if (expect.exitCode === null && expect.outputContains === null) return false;
  if (expect.exitCode !== null && expect.exitCode !== exitCode) return false;
  return expect.outputContains === null || output.includes(expect.outputContains.replaceAll("\r\n", "\n"));
}

/**
 * Whether a run that does not show the claim tells that the bug is gone: it ends as the script does where nothing is wrong. One that
 * fails in another way says nothing; the version may lack what the script needs.
 */
export function isFreeOfBug({ expect }: Pick<Claim, "expect">, exitCode: number | null): boolean {
  if (exitCode === null) return false;
  const isShownBySuccess = expect?.exitCode === 0 && expect.outputContains === null;
  return (exitCode === 0) !== isShownBySuccess;
}
