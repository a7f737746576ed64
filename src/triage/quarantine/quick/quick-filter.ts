import { plainText } from "../../../github/index.ts";
import type { CanaryGram } from "../canary-forms.ts";
import { normalised } from "../text-readings.ts";
import { COMPILED_MODULE } from "./compiled-module.ts";

/** The exports of `assembly/index.ts`. Pointers are offsets in `memory`. */
interface QuickModule {
  memory: { buffer: ArrayBuffer };
  PLAIN: { value: number };
  take(bytes: number): number;
  addSieve(texts: number, lengths: number, count: number, shortest: number, isShort: boolean): void;
  inputOf(bytes: number): number;
  mayHoldSecret(length: number): number;
  mayHoldToken(length: number): number;
}

// Declared here, because the types of WebAssembly are part of the browser types.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: object };
};

/** Shorter stretches have a separate sieve, because the shortest stretch of a sieve determines how many positions it examines. */
const LONG = 14;
/** Long stretches of digits have a separate sieve, because their short pieces occur in every list of numbers. */
const LONG_DIGITS = /^\d{28,}$/;
/** Replaces characters that are neither a letter nor a space and belong to no encoding. */
const PLACEHOLDER = 0x80;

let compiled: object | null = null;
/** A filter without stretches, which only searches for tokens. */
let forTokens: QuickFilter | null = null;

/**
 * Returns whether `maskSecrets` may find a token-shaped string in these bytes, read as latin1. Returns false only when it would
 * find none.
 */
export function mayHoldToken(text: Uint8Array): boolean {
  forTokens ??= new QuickFilter([]);
  return forTokens.mayHoldToken(text);
}

/**
 * Decides whether a search of a text may find one of the stretches: false only when no reading of the text contains one. It is a
 * necessary condition for a hit of `CanaryDetector.find`, compiled to WebAssembly (ADR 71). Its memory grows with the largest
 * text, and is freed with the filter.
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

  /** Returns whether the text may contain a secret. Each character of the text is one byte. */
  mayHoldSecret(text: Uint8Array): boolean {
    this.#give(text);
    return this.#module.mayHoldSecret(text.length) !== 0;
  }

  /** Returns whether the text may contain a token-shaped string. Each character of the text is one byte. */
  mayHoldToken(text: Uint8Array): boolean {
    this.#give(text);
    return this.#module.mayHoldToken(text.length) !== 0;
  }

  #give(text: Uint8Array): void {
    const input = this.#module.inputOf(text.length);
    this.#bytes.set(text, input);
  }

  /** Created on each access, because the buffer moves when the memory grows. */
  get #bytes(): Uint8Array {
    return new Uint8Array(this.#module.memory.buffer);
  }

  /** Tells the module how the search reads each byte above ASCII. */
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
