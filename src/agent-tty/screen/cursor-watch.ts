import type { IDisposable, Terminal } from "@xterm/headless";
import type { CursorShape } from "./detailed-snapshot.ts";

const SHAPES: readonly CursorShape[] = ["block", "underline", "bar"];

export interface CursorLooks {
  visible: boolean;
  shape: CursorShape;
  blink: boolean;
}

/**
 * Tracks the appearance of the cursor, which the emulator does not publish: DECTCEM and DECSCUSR; a reset restores the defaults.
 */
export class CursorWatch implements Disposable {
  readonly #subscriptions: IDisposable[];
  #looks: CursorLooks = DEFAULT_LOOKS;

  constructor({ parser }: Terminal) {
    const show = (final: "h" | "l", visible: boolean): IDisposable =>
      parser.registerCsiHandler({ prefix: "?", final }, (parameters) => {
        if (parameters.includes(25)) this.#looks = { ...this.#looks, visible };
        return false;
      });
    const reset = (): boolean => {
      this.#looks = DEFAULT_LOOKS;
      return false;
    };
    this.#subscriptions = [
      show("h", true),
      show("l", false),
      parser.registerCsiHandler({ intermediates: " ", final: "q" }, ([style]) => {
        this.#looks = { ...this.#looks, ...looksOf(typeof style === "number" ? style : 0) };
        return false;
      }),
      parser.registerEscHandler({ final: "c" }, reset),
      parser.registerCsiHandler({ intermediates: "!", final: "p" }, reset),
    ];
  }

  get looks(): CursorLooks {
    return this.#looks;
  }

  restore(looks: CursorLooks): void {
    this.#looks = looks;
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

const DEFAULT_LOOKS = { visible: true, shape: "block", blink: false } as const;

/** Returns the shape of a DECSCUSR style. From 1 on, odd styles blink and even ones are steady; 0 is the default. */
function looksOf(style: number): { shape: CursorShape; blink: boolean } {
  const shape = SHAPES[Math.ceil(style / 2) - 1];
  return shape === undefined ? { shape: "block", blink: false } : { shape, blink: style % 2 === 1 };
}
