import { plainText } from "../../github/index.ts";
import { type CanaryGram, canaryGrams, fold } from "./canary-forms.ts";
import { decodedStretches } from "./decoded-stretches.ts";
import { GramIndex } from "./gram-index.ts";
import type { ParentSecret } from "./parent-secrets.ts";
import { normalised, spreadReadings } from "./text-readings.ts";
import { MAX_UNESCAPES, unescaped } from "./unescaped.ts";

/** A secret of the parent was found, as a whole or in part. The value itself is never part of it. */
export interface CanaryHit {
  /** The variable of the parent's environment, or where else it was read. */
  name: string;
  /** How it was written: `plain`, `base64`, `hex of rot13`, `every 2. character`. */
  form: string;
}

/** The whole search of a text for secrets of the parent, in every form. `QuickFilter` may only pass over texts in which it finds none. */
export class SecretSearch {
  readonly #index = new GramIndex();
  readonly #grams: CanaryGram[] = [];

  /** The stretches of all forms of all secrets. */
  get grams(): readonly CanaryGram[] {
    return this.#grams;
  }

  add({ name, value, isPhrase = false }: ParentSecret): void {
    const added = canaryGrams(value, isPhrase).map((gram) => Object.assign(gram, { name }));
    this.#index.add(added);
    // One by one: a spread of hundreds of thousands overflows the stack.
    for (const gram of added) this.#grams.push(gram);
  }

  find(text: string): CanaryHit | null {
    if (this.#index.isEmpty) return null;
    // Inside an escape sequence, too: a terminal's title, a link, the clipboard.
    const raw = this.#index.find(fold(text), "all");
    if (raw !== null) return raw;
    // Text that a terminal erases is not on its screen, and letters match with or without marks.
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

/** Only a long match counts in a decoded reading of a text: a short one may be a coincidence. */
function findIn(readings: Iterable<{ text: string; form: string }>, index: GramIndex): CanaryHit | null {
  for (const { text, form } of readings) {
    const hit = index.find(fold(text), "long");
    if (hit !== null) return { name: hit.name, form: hit.form === "plain" ? form : `${form} of ${hit.form}` };
  }
  return null;
}
