import { OperationalError } from "agent-tty/kit";
import type { ParentSecret } from "./parent-secrets.ts";
import { QuickFilter } from "./quick/index.ts";
import { type CanaryHit, SecretSearch } from "./secret-search.ts";

/**
 * The longest text, in characters, that is given to the quick filter: its memory grows with the longest text and is kept as long
 * as the detector.
 */
const QUICK_CHARACTERS = 256 * 1024;
/** In such a text each character is one byte, which the quick filter requires. */
const ASCII = /^[\x00-\x7f]*$/;

/** Knows the parent's secrets, and finds them in the output of a Triage Agent or of a program under triage (S8). */
export interface CanaryDetector {
  /** All known secrets, in the order in which they became known. */
  readonly secrets: readonly ParentSecret[];
  /** Adds a secret that was obtained at run time: a renewed token, an installation's token, the board's token (S25). */
  watch(secret: ParentSecret): void;
  /** Returns the first secret found in the text; null: none. Compressed, encrypted or paraphrased secrets are not found. */
  find(text: string): CanaryHit | null;
  /** The same for bytes that are read as latin1; faster when nothing is found. */
  findInBytes(bytes: Uint8Array): CanaryHit | null;
  /** Returns the text, or a notice instead of it when it contains a secret. For messages, logs and the store. */
  withhold(text: string): string;
}

/**
 * Creates a detector that finds the parent's secrets in text that a Triage Agent or its programs produced, and reports them by
 * name.
 */
export function createCanaryDetector(secrets: readonly ParentSecret[]): CanaryDetector {
  const search = new SecretSearch();
  /** Rebuilt when a secret is added. */
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

/** Returns the error of a Triage Run that leaked a secret of the parent. `place` says where the secret was found. */
export function secretLeaked({ name, form }: CanaryHit, place: string): OperationalError<"SECRET_LEAKED"> {
  return new OperationalError({
    code: "SECRET_LEAKED",
    message:
      `check what the Triage Run left: ${place} holds the parent's secret ${name} (${form}). ` +
      "The outcome is quarantined: nothing was published, and the files that hold the secret were not kept",
    remedy: `Revoke and replace ${name} now, then find out how code inside a Coder workspace could read it.${harmless(name)}`,
  });
}

/**
 * Returns the part of the remedy for a variable that holds no secret. It is needed because every variable counts as a secret (ADR
 * 45).
 */
function harmless(name: string): string {
  return /^\w+$/.test(name)
    ? ` If that variable is no secret, start afk-triage without it: env -u ${name} afk-triage …`
    : "";
}
