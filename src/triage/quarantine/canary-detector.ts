import { plainText } from "../../github/index.ts";
import { type CanaryGram, canaryGrams, fold } from "./canary-forms.ts";
import { decodedStretches } from "./decoded-stretches.ts";
import { GramIndex } from "./gram-index.ts";
import type { ParentSecret } from "./parent-secrets.ts";
import { QuickFilter } from "./quick/index.ts";
import { normalised, spreadReadings } from "./text-readings.ts";
import { MAX_UNESCAPES, unescaped } from "./unescaped.ts";
import { OperationalError } from "agent-tty/kit";

/** A secret of the parent was found, as a whole or in part. The value itself is never part of it. */
export interface CanaryHit {
  /** The variable of the parent's environment, or where else it was read. */
  name: string;
  /** How it was written: `plain`, `base64`, `hex of rot13`, `every 2. character`. */
  form: string;
}

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
  const index = new GramIndex();
  const grams: CanaryGram[] = [];
  /** Made anew when a secret is added. */
  let quick: QuickFilter | null = null;
  const known = new Set<string>();
  const watched: ParentSecret[] = [];
  const watch = (secret: ParentSecret): void => {
    const { name, value, isPhrase = false } = secret;
    if (known.has(value)) return;
    known.add(value);
    watched.push(secret);
    const added = canaryGrams(value, isPhrase).map((gram) => Object.assign(gram, { name }));
    index.add(added);
    grams.push(...added);
    quick = null;
  };
  for (const secret of secrets) watch(secret);
  const search = (text: string): CanaryHit | null => {
    // Inside an escape sequence, too: a terminal's title, a link, the clipboard.
    const raw = index.find(fold(text), "all");
    if (raw !== null) return raw;
    // Text that a terminal erases is not on its screen, and letters match with or without marks.
    let view = normalised(plainText(text.replaceAll(/[^\x08]\x08/g, "")));
    for (let pass = 0; pass <= MAX_UNESCAPES; pass += 1) {
      const hit = index.find(fold(view), "all");
      if (hit !== null) return hit;
      const next = unescaped(view);
      if (next === view) break;
      view = next;
    }
    return findIn(spreadReadings(view), index) ?? findIn(decodedStretches(view), index);
  };
  const mayHold = (bytes: Uint8Array): boolean => {
    quick ??= new QuickFilter(grams);
    return quick.mayHoldSecret(bytes);
  };
  const find = (text: string): CanaryHit | null => {
    if (index.isEmpty || (ASCII.test(text) && !mayHold(Buffer.from(text, "latin1")))) return null;
    return search(text);
  };
  return {
    secrets: watched,
    watch,
    find,
    findInBytes: (bytes) => (mayHold(bytes) ? search(Buffer.from(bytes).toString("latin1")) : null),
    withhold: (text) => {
      const hit = find(text);
      return hit === null ? text : `[withheld: it holds the parent's secret ${hit.name} (${hit.form})]`;
    },
  };
}

/** Only a long match counts in a decoded reading of a text: a short one may be a coincidence. */
function findIn(readings: Iterable<{ text: string; form: string }>, index: GramIndex): CanaryHit | null {
  for (const { text, form } of readings) {
    const hit = index.find(fold(text), "long");
    if (hit !== null) return { name: hit.name, form: hit.form === "plain" ? form : `${form} of ${hit.form}` };
  }
  return null;
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
