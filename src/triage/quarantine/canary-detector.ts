import { OperationalError } from "agent-tty/kit";
import type { ParentSecret } from "./parent-secrets.ts";
import { QuickFilter } from "./quick/index.ts";
import { type CanaryHit, SecretSearch } from "./secret-search.ts";

/** The memory of the quick filter grows with the longest text that it is asked about, and stays as long as the detector. */
const QUICK_CHARACTERS = 256 * 1024;
/** The characters of such a text are bytes, which the quick filter looks at. */
const ASCII = /^[\x00-\x7f]*$/;

/** S8: knows the parent's secrets, and recognises them in what a Triage Agent or a program under triage wrote. */
export interface CanaryDetector {
  /** All that it knows, in the order in which they became known. */
  readonly secrets: readonly ParentSecret[];
  /** A secret that was obtained while running: a renewed token, one of an installation, the board's (S25). */
  watch(secret: ParentSecret): void;
  /** null: none is in it. Compressed or encrypted ones are not seen, nor ones told in other words. */
  find(text: string): CanaryHit | null;
  /** The same of a text whose characters are bytes: quicker where nothing is found. */
  findInBytes(bytes: Uint8Array): CanaryHit | null;
  /** The text, or a notice in its place when it holds a secret. For messages, logs and the store. */
  withhold(text: string): string;
}

/**
 * A detector that finds the parent's secrets, by name, in text that a Triage Agent or its programs produced.
 */
export function createCanaryDetector(secrets: readonly ParentSecret[]): CanaryDetector {
  const search = new SecretSearch();
  /** Made anew when a secret is added. */
  let quick: QuickFilter | null = null;
  const known = new Set<string>();
  const watched: ParentSecret[] = [];
  const watch = (secret: ParentSecret): void => {
    if (known.has(secret.value)) return;
    known.add(secret.value);
    watched.push(secret);
    search.add(secret);
    quick = null;
  };
  for (const secret of secrets) watch(secret);
  const mayHold = (bytes: Uint8Array): boolean => {
    if (watched.length === 0) return false;
    quick ??= new QuickFilter(search.grams);
    return quick.mayHoldSecret(bytes);
  };
  const find = (text: string): CanaryHit | null => {
    const isQuick = text.length <= QUICK_CHARACTERS && ASCII.test(text);
    return isQuick && !mayHold(Buffer.from(text, "latin1")) ? null : search.find(text);
  };
  return {
    secrets: watched,
    watch,
    find,
    findInBytes: (bytes) => (mayHold(bytes) ? search.find(Buffer.from(bytes).toString("latin1")) : null),
    withhold: (text) => {
      const hit = find(text);
      return hit === null ? text : `[withheld: it holds the parent's secret ${hit.name} (${hit.form})]`;
    },
  };
}

/** The loud end of a Triage Run that gave away a secret of the parent. `place` says where it was found. */
export function secretLeaked({ name, form }: CanaryHit, place: string): OperationalError<"SECRET_LEAKED"> {
  return new OperationalError({
    code: "SECRET_LEAKED",
    message:
      `check what the Triage Run left: ${place} holds the parent's secret ${name} (${form}). ` +
      "The outcome is quarantined: nothing was published, and the files that hold the secret were not kept",
    remedy: `Revoke and replace ${name} now, then find out how code inside a Coder workspace could read it.`,
  });
}
