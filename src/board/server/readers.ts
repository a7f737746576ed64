import { Refusal } from "./board-error.ts";

/** The places for long-lived readers. When no place is free, a new reader is refused; existing readers are never disconnected. */
export class Readers {
  readonly #what: string;
  readonly #limit: number;
  #count = 0;

  constructor(what: string, limit: number) {
    this.#what = what;
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes a place. The returned function frees it; calling it again does nothing. */
  take(): () => void {
    if (this.#count >= this.#limit)
      throw new Refusal(
        "TOO_MANY_READERS",
        `${this.#count} ${this.#what} are open already`,
        "Close a window of the board, then reload this one.",
      );
    this.#count += 1;
    let isTaken = true;
    return () => {
      if (isTaken) this.#count -= 1;
      isTaken = false;
    };
  }
}
