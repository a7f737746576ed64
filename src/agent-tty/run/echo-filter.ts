import { matchEcho } from "./echo-match.ts";

const NOTHING = Buffer.alloc(0);
/** Output of the command itself, once the echo was seen, is held back only for what is this much like the echo. */
const SURE_BYTES = 4;
/** The terminal echoes, and then the line editor of the shell once more: no more than this comes in between. */
const SECOND_ECHO_WITHIN_BYTES = 16_384;

/**
 * Takes the echo of our own postamble out of the output, wherever reads split it and a line editor wraps it, also when
 * it comes twice. Holds bytes back only while one is expected.
 */
export class EchoFilter {
  #expected: Buffer | null = null;
  #held: Buffer = NOTHING;
  #bytesLeft = Number.POSITIVE_INFINITY;

  /** What is echoed from now on until `finish`. */
  expect(echo: string): void {
    this.#expected = Buffer.from(echo);
    this.#bytesLeft = Number.POSITIVE_INFINITY;
  }

  /** The typed line has been run: none of its echo is left. */
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
      if (match.type === "whole") {
        kept.push(bytes.subarray(from, at));
        from = match.end;
        this.#bytesLeft = SECOND_ECHO_WITHIN_BYTES + chunk.byteLength;
      } else if (match.type === "part" && this.#isHeld(match.matchedBytes)) {
        keepFrom = at;
        break;
      }
      at = bytes.indexOf(first, match.type === "whole" ? match.end : at + 1);
    }
    this.#held = Buffer.from(bytes.subarray(keepFrom));
    this.#bytesLeft -= chunk.byteLength;
    if (this.#bytesLeft <= 0 && this.#held.byteLength === 0) this.#expected = null;
    return Buffer.concat([...kept, bytes.subarray(from, keepFrom)]);
  }

  /** The echo never came whole: what was held back is output. */
  flush(): Buffer {
    const rest = this.#held;
    this.#expected = null;
    this.#held = NOTHING;
    return rest;
  }

  #isHeld(matchedBytes: number): boolean {
    return this.#bytesLeft === Number.POSITIVE_INFINITY || matchedBytes >= SURE_BYTES;
  }
}
