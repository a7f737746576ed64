import { Refusal } from "./board-error.ts";

/** Places for readers that stay; who finds none is refused, and no one who reads is thrown out. */
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

  /** Gives the place back when called; a second call does nothing. */
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
