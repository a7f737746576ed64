/** How many Turns a detector saw in its terminal: by that the end of one is told from the end of another. */
export class TurnCounter {
  #number = 0;
  #isActive = false;

  get number(): number {
    return this.#number;
  }

  /** A Turn begins with work after rest. */
  note(isActive: boolean): void {
    if (isActive && !this.#isActive) this.#number += 1;
    this.#isActive = isActive;
  }
}
