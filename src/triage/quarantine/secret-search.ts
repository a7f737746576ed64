import { plainText } from "../../github/index.ts";
import { type CanaryGram, canaryGrams, fold } from "./canary-forms.ts";
import { decodedStretches } from "./decoded-stretches.ts";
import { GramIndex } from "./gram-index.ts";
import type { ParentSecret } from "./parent-secrets.ts";
import { normalised, spreadReadings } from "./text-readings.ts";
import { MAX_UNESCAPES, unescaped } from "./unescaped.ts";

/** A secret of the parent that was found, whole or in part. The hit never contains the value itself. */
export interface CanaryHit {
  /** The variable of the parent's environment, or another source of the secret. */
  name: string;
  /** How the secret was written: `plain`, `base64`, `hex of rot13`, `every 2. character`. */
  form: string;
}

/**
 * The complete search of a text for secrets of the parent, in every form. `QuickFilter` may only skip texts in which this search
 * finds nothing.
 */
export class SecretSearch {
  readonly #index = new GramIndex();
  readonly #grams: CanaryGram[] = [];

  /** Returns the pieces of all forms of all secrets. */
  get grams(): readonly CanaryGram[] {
    return this.#grams;
  }

  add({ name, value, isPhrase = false }: ParentSecret): void {
    const added = canaryGrams(value, isPhrase).map((gram) => Object.assign(gram, { name }));
    this.#index.add(added);
    // Pushed one by one, because spreading hundreds of thousands of arguments overflows the stack.
    for (const gram of added) this.#grams.push(gram);
  }

  find(text: string): CanaryHit | null {
    if (this.#index.isEmpty) return null;
    // This also searches inside escape sequences, such as a terminal's title, a link or the clipboard.
    const raw = this.#index.find(fold(text), "all");
    if (raw !== null) return raw;
    // Removes text that a terminal erases, and the marks of letters, so that letters match with or without marks.
    let view = normalised(plainText(text.replaceAll(/[^\x08]\x08/g, "")));
    for (let pass = 0; pass <= MAX_UNESCAPES; pass += 1) {
      const hit = this.#index.find(fold(view), "all");
      if (hit !== null) return hit;
      const next = unescaped(view);
      if (next === view) break;
      view = next;
    }
    return findIn(spreadReadings(view), this.#index) ?? findIn(decodedStretches(view), this.#index);
  }
}

/**
 * Returns the first secret in the decoded readings of a text. Only a long match counts, because a short one may be a coincidence.
 */
function findIn(readings: Iterable<{ text: string; form: string }>, index: GramIndex): CanaryHit | null {
  for (const { text, form } of readings) {
    const hit = index.find(fold(text), "long");
    if (hit !== null) return { name: hit.name, form: hit.form === "plain" ? form : `${form} of ${hit.form}` };
  }
  return null;
}
