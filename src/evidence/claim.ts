import { createHash } from "node:crypto";
import { plainText } from "../github/index.ts";

/** The claim of a reproduction: the script, and how its failure is recognised. The script is untrusted text. */
export interface Claim {
  readonly script: string;
  readonly expect: {
    readonly exitCode: number | null;
    readonly outputContains: string | null;
  } | null;
}

/** Returns the SHA-256 of the proposed script in hex, so that the script that runs can be compared with it. */
export function scriptHash(script: string): string {
  return createHash("sha256").update(script).digest("hex");
}

/**
 * Returns whether a run shows the claim: its exit code and its output must both match what the claim names. A claim that names
 * neither is never shown.
 */
export function showsClaim(claim: Pick<Claim, "expect">, exitCode: number | null, output: string): boolean {
  const { expect } = claim;
  if (expect === null || exitCode === null) return false;
  if (expect.exitCode === null && expect.outputContains === null) return false;
  if (expect.exitCode !== null && expect.exitCode !== exitCode) return false;
  return expect.outputContains === null || claimedText(expect.outputContains, output) !== null;
}

/**
 * Returns the form of a claim's text that a run's output contains, or null if the output contains none. Outputs are plain text
 * (colours, line ends, invisible characters and commands of a CI runner are replaced), so the function also searches for the text
 * in its plain form.
 */
export function claimedText(text: string, output: string): string | null {
  const forms = [plainText(text), text.replaceAll("\r\n", "\n")];
  return forms.find((form) => form !== "" && output.includes(form)) ?? null;
}

/**
 * Returns whether a run that does not show the claim proves that the bug is gone: the script must end as it does without the bug. A
 * run that fails in another way proves nothing, because the version may lack something that the script needs.
 */
export function isFreeOfBug({ expect }: Pick<Claim, "expect">, exitCode: number | null): boolean {
  if (exitCode === null) return false;
  const isShownBySuccess = expect?.exitCode === 0 && expect.outputContains === null;
  return (exitCode === 0) !== isShownBySuccess;
}
