const ESC = 0x1b;
const MAX_HELD_BYTES = 256;

/** Finals of control sequences that ask the terminal for an answer or move its window: DA, DSR, DECRQM, XTVERSION, XTWINOPS. */
const ASKING_FINALS = new Set(Buffer.from("cnpqtx"));

/**
 * S10: terminal output that may be shown in a person's own terminal. Colours and cursor movement pass; strings (titles,
 * clipboard, hyperlinks, device control) and queries, whose answers would be typed into the person's shell, do not.
 */
export class TerminalSafeText {
  #held: number[] = [];
  #isInString = false;

  push(bytes: Uint8Array): Buffer {
    const safe: number[] = [];
    for (const byte of bytes) {
      if (this.#isInString) this.#skipString(byte);
      else if (this.#held.length > 0 || byte === ESC) this.#continueSequence(byte, safe);
      else if (byte !== 0x05) safe.push(byte);
    }
    return Buffer.from(safe);
  }

  /** Until BEL or ESC \; `#held` remembers a pending ESC. */
  #skipString(byte: number): void {
    const endsHere = byte === 0x07 || (byte === 0x5c && this.#held.length > 0);
    this.#held = byte === ESC ? [ESC] : [];
    if (endsHere) this.#isInString = false;
  }

  #continueSequence(byte: number, safe: number[]): void {
    if (byte === ESC) {
      this.#held = [ESC];
      return;
    }
    this.#held.push(byte);
    const kind = this.#held[1] ?? 0;
    // OSC, DCS, SOS, PM, APC.
    if (this.#held.length === 2 && [0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(kind)) {
      this.#held = [];
      this.#isInString = true;
      return;
    }
    const isControlSequence = kind === 0x5b;
    const isFinal = isControlSequence ? this.#held.length > 2 && byte >= 0x40 : byte >= 0x30;
    if (!isFinal && this.#held.length < MAX_HELD_BYTES) return;
    const isAsking = isControlSequence ? ASKING_FINALS.has(byte) : kind === 0x5a;
    if (isFinal && !isAsking) for (const held of this.#held) safe.push(held);
    this.#held = [];
  }
}
