import { plainText } from "../../../github/index.ts";
import type { CanaryGram } from "../canary-forms.ts";
import { normalised } from "../text-readings.ts";
import { COMPILED_MODULE } from "./compiled-module.ts";

/** What `assembly/index.ts` exports. Pointers are offsets in `memory`. */
interface QuickModule {
  memory: { buffer: ArrayBuffer };
  PLAIN: { value: number };
  take(bytes: number): number;
  addSieve(texts: number, lengths: number, count: number, shortest: number, isShort: boolean): void;
  inputOf(bytes: number): number;
  mayHoldSecret(length: number): number;
  mayHoldToken(length: number): number;
}

// The types of WebAssembly are part of those of browsers.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: object };
};

/** Shorter stretches have a sieve of their own, since the shortest one says how many places a sieve looks at. */
const LONG = 14;
/** Short pieces of codes and bits are in any list of numbers. */
const LONG_DIGITS = /^\d{28,}$/;
/** Stands for characters that are neither a letter nor a space, and belong to no encoding. */
const PLACEHOLDER = 0x80;

let compiled: object | null = null;
/** A filter that knows no stretches: it looks for tokens only. */
let forTokens: QuickFilter | null = null;

/** Whether `maskSecrets` may find a token-shaped string in a text whose characters are bytes: false only when it would not. */
export function mayHoldToken(text: Uint8Array): boolean {
  forTokens ??= new QuickFilter([]);
  return forTokens.mayHoldToken(text);
}

/**
 * Whether a search of a text may find one of the stretches: false only when every reading of it is without one. It is a necessary condition of
 * `CanaryDetector.find`, compiled to WebAssembly (ADR 71). Its memory grows with the largest text, and is freed with the filter.
 */
export class QuickFilter {
  readonly #module: QuickModule;

  constructor(grams: readonly CanaryGram[]) {
    compiled ??= new WebAssembly.Module(Buffer.from(COMPILED_MODULE, "base64"));
    this.#module = new WebAssembly.Instance(compiled).exports as QuickModule;
    this.#tellPlain();
    const long = grams.filter(({ isShort }) => !isShort).map(({ text }) => text);
    this.#addSieve(long.filter((text) => text.length >= LONG && !LONG_DIGITS.test(text)));
    this.#addSieve(long.filter((text) => text.length < LONG));
    this.#addSieve(long.filter((text) => LONG_DIGITS.test(text)));
    this.#addSieve(
      grams.filter(({ isShort }) => isShort).map(({ text }) => text),
      true,
    );
  }

  /** The characters of the text are bytes. */
  mayHoldSecret(text: Uint8Array): boolean {
    this.#give(text);
    return this.#module.mayHoldSecret(text.length) !== 0;
  }

  /** The same for token-shaped strings. */
  mayHoldToken(text: Uint8Array): boolean {
    this.#give(text);
    return this.#module.mayHoldToken(text.length) !== 0;
  }

  #give(text: Uint8Array): void {
    const input = this.#module.inputOf(text.length);
    this.#bytes.set(text, input);
  }

  /** Anew each time: it moves when it grows. */
  get #bytes(): Uint8Array {
    return new Uint8Array(this.#module.memory.buffer);
  }

  /** How the search reads each byte above ASCII. */
  #tellPlain(): void {
    for (let code = 0x80; code <= 0xff; code += 1) {
      const plain = normalised(plainText(String.fromCharCode(code)));
      const signs = Array.from(plain, (sign) => (sign > "\xff" ? PLACEHOLDER : sign.charCodeAt(0)));
      this.#bytes.set([signs.length, ...signs], this.#module.PLAIN.value + 4 * code);
    }
  }

  #addSieve(stretches: readonly string[], isShort = false): void {
    if (stretches.length === 0) return;
    const lengths = stretches.map(({ length }) => length);
    const shortest = lengths.reduce((least, length) => Math.min(least, length));
    const letters = Buffer.from(stretches.join(""), "latin1");
    const [texts, sizes] = [this.#module.take(letters.length), this.#module.take(4 * lengths.length)];
    this.#bytes.set(letters, texts);
    new Uint32Array(this.#module.memory.buffer, sizes, lengths.length).set(lengths);
    this.#module.addSieve(texts, sizes, lengths.length, shortest, isShort);
  }
}
