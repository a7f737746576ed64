import { allowedControlSequence, isAllowedControl, isAllowedEscape } from "./terminal-controls.ts";

type State = "ground" | "escape" | "control-sequence" | "string";

/** The longest valid sequence: a longer one is dropped to its end. */
const MAX_SEQUENCE_CHARACTERS = 256;
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/**
 * Filters terminal output for a person's own terminal, so that nothing in it can act on that terminal (S10). Only the controls in
 * `terminal-controls.ts` pass (S23), in any chunking of the bytes. C1 controls have no effect in any encoding: as UTF-8
 * characters they introduce sequences that are dropped, and as single bytes they are not text. Characters that would reorder the
 * text are shown as U+FFFD.
 */
export class TerminalSafeText {
  readonly #decoder = new TextDecoder();
  readonly #takesInput: boolean;
  #state: State = "ground";
  /** The current sequence without its introducer. */
  #body = "";
  /** Begun by a C1 control, or too long: the sequence is read to its end and dropped. */
  #isDropped = false;

  /** `takesInput`: the person's keys reach the program, so the program may choose how the terminal sends them. */
  constructor(takesInput = false) {
    this.#takesInput = takesInput;
  }

  push(bytes: Uint8Array): Buffer {
    let safe = "";
    for (const character of this.#decoder.decode(bytes, { stream: true })) safe += this.#read(character);
    return Buffer.from(safe);
  }

  #read(character: string): string {
    const code = character.codePointAt(0) ?? 0;
    if (this.#state === "string") return this.#inString(code);
    if (code === 0x1b) return this.#begin("escape", false);
    if (code >= 0x80 && code <= 0x9f) return this.#c1(code);
    // CAN and SUB end a sequence; other controls act in the middle of one (https://vt100.net/emu/dec_ansi_parser).
    if (code === 0x18 || code === 0x1a) return this.#begin("ground", false);
    if (code < 0x20) return isAllowedControl(character) ? character : "";
    if (code === 0x7f) return "";
    if (this.#state === "ground") return BIDI.test(character) ? "\u{fffd}" : character;
    if (code > 0x7f) return this.#begin("ground", false);
    return this.#inSequence(character, code);
  }

  /**
   * Skips a string until BEL, ST, CAN, SUB, or the ESC of the next sequence. ST as two characters is an escape sequence that does
   * nothing.
   */
  #inString(code: number): string {
    if (code === 0x1b) return this.#begin("escape", false);
    if (code === 0x07 || code === 0x18 || code === 0x1a || code === 0x9c) return this.#begin("ground", false);
    return "";
  }

  #c1(code: number): string {
    if (code === 0x9b) return this.#begin("control-sequence", true);
    const opensString = code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f);
    return this.#begin(opensString ? "string" : "ground", true);
  }

  #inSequence(character: string, code: number): string {
    if (this.#state === "escape" && this.#body === "") {
      if (character === "[") return this.#begin("control-sequence", false);
      if ("]PX^_".includes(character)) return this.#begin("string", false);
    }
    if (this.#body.length < MAX_SEQUENCE_CHARACTERS) this.#body += character;
    else this.#isDropped = true;
    const isFinal = code >= (this.#state === "escape" ? 0x30 : 0x40);
    return isFinal ? this.#end() : "";
  }

  #end(): string {
    const [state, body, isDropped] = [this.#state, this.#body, this.#isDropped];
    this.#begin("ground", false);
    if (isDropped) return "";
    if (state === "escape") return isAllowedEscape(body) ? `\x1b${body}` : "";
    const allowed = allowedControlSequence(body, this.#takesInput);
    return allowed === null ? "" : `\x1b[${allowed}`;
  }

  #begin(state: State, isDropped: boolean): string {
    this.#state = state;
    this.#body = "";
    this.#isDropped = isDropped;
    return "";
  }
}
