const PREFIX = "\x1c";

/**
 * Removes the detach sequence, Ctrl-\ d, from what a person types. Ctrl-\ typed twice sends Ctrl-\ once; Ctrl-\ and any other key
 * sends both.
 */
export class DetachKeys {
  #hasPrefix = false;

  push(typed: string): { text: string; isDetached: boolean } {
    let text = "";
    for (const key of typed) {
      if (!this.#hasPrefix && key === PREFIX) {
        this.#hasPrefix = true;
        continue;
      }
      if (this.#hasPrefix && key === "d") return { text, isDetached: true };
      text += this.#hasPrefix && key !== PREFIX ? PREFIX + key : key;
      this.#hasPrefix = false;
    }
    return { text, isDetached: false };
  }
}
