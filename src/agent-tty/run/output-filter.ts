import { EchoFilter } from "./echo-filter.ts";
import { type FilteredPiece, MarkFilter } from "./mark-filter.ts";
import type { Postamble } from "./shell-dialect.ts";

/** Removes marks and the echo of our postamble from the terminal's bytes before they reach the Event Log. */
export class OutputFilter {
  readonly #echo = new EchoFilter();
  readonly #marks: MarkFilter;
  /**
   * The nonce of the mark that the postamble prints. Other marks say nothing about the echo: hooks may report an earlier command
   * before it arrives.
   */
  #nonce: string | null = null;

  constructor(nonces: Iterable<string>) {
    this.#marks = new MarkFilter(nonces);
  }

  expectPostamble(postamble: Postamble): void {
    this.#marks.addNonce(postamble.nonce);
    this.#nonce = postamble.nonce;
    this.#echo.expect(postamble.echo);
  }

  push(chunk: Buffer): FilteredPiece[] {
    const pieces = this.#marks.push(this.#echo.push(chunk));
    if (pieces.some((piece) => piece.type === "mark" && piece.nonce === this.#nonce)) this.#echo.finish();
    return pieces;
  }

  /** Returns bytes that were held back as the beginning of a mark or echo and turned out to be output. */
  flush(): Buffer {
    const pieces = this.#marks.push(this.#echo.flush());
    const rest = this.#marks.flush();
    return Buffer.concat([
      ...pieces.flatMap((piece) => (piece.type === "output" ? [piece.bytes] : [])),
      rest,
    ]);
  }
}
