import { createHash } from "node:crypto";
import { plainText } from "../github/index.ts";

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
  return expect.outputContains === null || claimedText(expect.outputContains, output) !== null;
}

/**
 * A claim's text as the output of a run has it; null: it is not there. Outputs are plain text (colours, line ends, invisible
 * characters and commands of a CI runner are changed), so a text with such characters is looked for as plain text too.
 */
export function claimedText(text: string, output: string): string | null {
  const forms = [plainText(text), text.replaceAll("\r\n", "\n")];
  return forms.find((form) => form !== "" && output.includes(form)) ?? null;
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
