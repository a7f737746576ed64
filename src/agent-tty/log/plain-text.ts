type State = "ground" | "escape" | "csi" | "string" | "string-escape";

/** The final bytes of the control sequences CUU, CUD, CNL, CPL, CHA, CUP, VPA and HVP. */
const CURSOR_MOVES = new Set(Buffer.from("ABEFGHdf"));
const [SPACE, CURSOR_FORWARD] = [0x20, 0x43];
const [BEL, TAB, LF, CR, ESC] = [0x07, 0x09, 0x0a, 0x0d, 0x1b];

/**
 * Makes terminal output inert (S10): escape sequences and control characters are removed, and a lone carriage return becomes a
 * line end. It works on bytes in any chunking, so nothing remains of a sequence that was cut in two.
 */
export class PlainText {
  readonly #cursorMoves: "dropped" | "line-ends";
  #state: State = "ground";
  #wasCarriageReturn = false;

  /**
   * With `line-ends`, moving the cursor to another place of the screen ends the line, and moving it right is a space (ECMA-48,
   * 8.3.20 CUF), so that words from different places do not run together.
   */
  constructor({ cursorMoves = "dropped" }: { cursorMoves?: "dropped" | "line-ends" } = {}) {
    this.#cursorMoves = cursorMoves;
  }

  push(bytes: Uint8Array): Buffer {
    const plain = Buffer.allocUnsafe(bytes.byteLength + 1);
    let length = 0;
    for (const byte of bytes) {
      if (this.#state !== "ground" || byte === ESC) {
        const before = this.#state;
        this.#state = nextState(before, byte);
        if (this.#cursorMoves === "line-ends" && before === "csi" && this.#state === "ground") {
          if (byte === CURSOR_FORWARD) plain[length++] = SPACE;
          else if (CURSOR_MOVES.has(byte)) plain[length++] = LF;
        }
        continue;
      }
      const isLineEnd = byte === LF || (this.#wasCarriageReturn && byte !== CR);
      if (isLineEnd) plain[length++] = LF;
      this.#wasCarriageReturn = byte === CR;
      if (byte === TAB || (byte >= 0x20 && byte !== 0x7f)) plain[length++] = byte;
    }
    return plain.subarray(0, length);
  }
}

function nextState(state: State, byte: number): State {
  switch (state) {
    case "ground":
      return "escape";
    case "escape":
      if (byte === 0x5b) return "csi";
      // OSC, DCS, SOS, PM, APC are strings that end with BEL or ESC \.
      if ([0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(byte)) return "string";
      return byte >= 0x20 && byte <= 0x2f ? "escape" : byte === ESC ? "escape" : "ground";
    case "csi":
      if (byte === ESC) return "escape";
      return byte >= 0x40 && byte <= 0x7e ? "ground" : "csi";
    case "string":
      return byte === BEL ? "ground" : byte === ESC ? "string-escape" : "string";
    case "string-escape":
      return byte === 0x5c ? "ground" : nextState("escape", byte);
    default:
      return state satisfies never;
  }
}
