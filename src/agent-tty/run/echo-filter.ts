import { matchEcho } from "./echo-match.ts";

const NOTHING = Buffer.alloc(0);
/**
 * When the first echo was seen, a possible second echo is held back only if at least this many bytes of it match, or if the text
 * before it is the same as before the first echo. A line editor echoes the command once more, often byte by byte.
 */
const SURE_BYTES = 4;
/** The terminal echoes, and then the shell's line editor echoes again: at most this many bytes of output are in between. */
const SECOND_ECHO_WITHIN_BYTES = 16_384;
/**
 * How many of the last bytes that were let through are kept, including what a line editor puts between them; and how many
 * characters of them are compared.
 */
const PASSED_BYTES = 64;
const CONTEXT_CHARACTERS = 3;

/**
 * Removes the echo of our own postamble from the output, even if reads split it, a line editor wraps it, or it comes twice. Holds
 * bytes back only while an echo is expected.
 */
export class EchoFilter {
  #expected: Buffer | null = null;
  #held: Buffer = NOTHING;
  #bytesLeft = Number.POSITIVE_INFINITY;
  /** The last bytes that were let through. */
  #passed: Buffer = NOTHING;
  /** The output before the first echo: the end of the command. */
  #context: string | null = null;

  /** Hides this echo until `finish` is called. */
  expect(echo: string): void {
    this.#expected = Buffer.from(echo);
    this.#passed = NOTHING;
    this.#context = null;
    this.#bytesLeft = Number.POSITIVE_INFINITY;
  }

  /** Call this when the typed line has run: no more of its echo will come. */
  finish(): void {
    if (this.#held.byteLength === 0) this.#expected = null;
    else this.#bytesLeft = 0;
  }

  push(chunk: Buffer): Buffer {
    const expected = this.#expected;
    if (expected === null) return chunk;
    const bytes = this.#held.byteLength === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const first = expected[0] ?? 0;
    const kept: Buffer[] = [];
    let [from, keepFrom] = [0, bytes.byteLength];
    for (let at = bytes.indexOf(first); at !== -1;) {
      const match = matchEcho(bytes, at, expected);
      const before = [this.#passed, ...kept, bytes.subarray(from, at)];
      if (match.type === "whole") {
        this.#context ??= contextOf(before);
        kept.push(bytes.subarray(from, at));
        from = match.end;
        this.#bytesLeft = SECOND_ECHO_WITHIN_BYTES + chunk.byteLength;
      } else if (match.type === "part" && this.#isHeld(match.matchedBytes, before)) {
        keepFrom = at;
        break;
      }
      at = bytes.indexOf(first, match.type === "whole" ? match.end : at + 1);
    }
    this.#held = Buffer.from(bytes.subarray(keepFrom));
    this.#bytesLeft -= chunk.byteLength;
    if (this.#bytesLeft <= 0 && this.#held.byteLength === 0) this.#expected = null;
    const passed = Buffer.concat([...kept, bytes.subarray(from, keepFrom)]);
    this.#passed = Buffer.concat([this.#passed, passed]).subarray(-PASSED_BYTES);
    return passed;
  }

  /** Returns the bytes that were held back and turned out to be output, because the echo was never complete. */
  flush(): Buffer {
    const rest = this.#held;
    this.#expected = null;
    this.#held = NOTHING;
    return rest;
  }

  #isHeld(matchedBytes: number, before: readonly Buffer[]): boolean {
    if (this.#bytesLeft === Number.POSITIVE_INFINITY || matchedBytes >= SURE_BYTES) return true;
    return this.#context === contextOf(before);
  }
}

/**
 * Returns the last relevant characters. Cursor movements, erasures and repeated characters are left out, because a line editor
 * writes those at a wrap.
 */
function contextOf(passed: readonly Buffer[]): string {
  return Buffer.concat(passed)
    .subarray(-PASSED_BYTES)
    .toString("latin1")
    .replaceAll(/\x1b\[[\x20-\x3f]*[\x40-\x7e]|[\x08\r\n ]/g, "")
    .replaceAll(/(.)\1+/g, "$1")
    .slice(-CONTEXT_CHARACTERS);
}
