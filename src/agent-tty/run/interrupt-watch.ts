import type { Clock } from "../kit/index.ts";

/**
 * How often, and how many times, a shell is checked for whether it reads again after an interrupt. A program that takes longer to
 * end, or goes on, has to be interrupted again.
 */
const LOOK_EVERY_MS = 250;
const LOOKS = 8;

export interface InterruptPorts {
  clock: Clock;
  /** Returns whether the Session's own shell (null) or an inner one runs no program now. */
  isShellAlone(innerShell: string | null): boolean;
}

/** Decides whether a shell that cannot report it reads commands again after an interrupt. */
export class InterruptWatch {
  readonly #ports: InterruptPorts;
  #timer: Disposable | null = null;

  constructor(ports: InterruptPorts) {
    this.#ports = ports;
  }

  /** Calls back if the shell is alone in two looks in a row. A later call replaces this one. */
  onInterrupt(innerShell: string | null, isBack: () => void): void {
    this.#lookLater(innerShell, isBack, { looksLeft: LOOKS, wasAlone: false });
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
  }

  #lookLater(
    innerShell: string | null,
    isBack: () => void,
    { looksLeft, wasAlone }: { looksLeft: number; wasAlone: boolean },
  ): void {
    this.#timer?.[Symbol.dispose]();
    if (looksLeft === 0) return;
    this.#timer = this.#ports.clock.schedule(LOOK_EVERY_MS, () => {
      const isAlone = this.#ports.isShellAlone(innerShell);
      if (isAlone && wasAlone) isBack();
      else this.#lookLater(innerShell, isBack, { looksLeft: looksLeft - 1, wasAlone: isAlone });
    });
  }
}
