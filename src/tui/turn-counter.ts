/** Counts the Turns that a detector saw in its terminal, to distinguish their ends. */
export class TurnCounter {
  #number = 0;
  #isActive = false;

  get number(): number {
    return this.#number;
  }

  /** Records a frame. A Turn begins with work after rest. */
  note(isActive: boolean): void {
    if (isActive && !this.#isActive) this.#number += 1;
    this.#isActive = isActive;
  }
}
