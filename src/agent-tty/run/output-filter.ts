import { EchoFilter } from "./echo-filter.ts";
import type { Mark } from "./marks.ts";
import { type FilteredPiece, MarkFilter } from "./mark-filter.ts";
import type { Postamble } from "./shell-dialect.ts";

/** Removes marks and the echo of our postamble from the terminal's bytes before they reach the Event Log. */
export class OutputFilter {
  readonly #echo = new EchoFilter();
  readonly #marks: MarkFilter;
  /** The mark that the postamble prints. It is needed because hooks may report an earlier command before the echo arrives. */
  #postambleEnd: Mark["type"] | null = null;

  constructor(nonces: Iterable<string>) {
    this.#marks = new MarkFilter(nonces);
  }

  expectPostamble(postamble: Postamble): void {
    this.#marks.addNonce(postamble.nonce);
    this.#postambleEnd = postamble.end;
    this.#echo.expect(postamble.echo);
  }

  push(chunk: Buffer): FilteredPiece[] {
    const pieces = this.#marks.push(this.#echo.push(chunk));
    if (pieces.some((piece) => piece.type === "mark" && piece.mark.type === this.#postambleEnd))
      this.#echo.finish();
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
