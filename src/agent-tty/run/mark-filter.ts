import { type Mark, MARK_END, MARK_START, MAX_MARK_BODY, parseMark } from "./marks.ts";

export type FilteredPiece =
  | { type: "output"; bytes: Buffer }
  /** `nonce`: the one with which the mark was printed. */
  | { type: "mark"; mark: Mark; nonce: string };

const START = Buffer.from(MARK_START, "latin1");
const NOTHING = Buffer.alloc(0);
const END = MARK_END.charCodeAt(0);

/** Removes the marks from a byte stream, wherever reads split them. Bytes that only resemble a mark remain output. */
export class MarkFilter {
  readonly #nonces: Set<string>;
  /** A copy, because the chunk belongs to its reader. */
  #held: Buffer = NOTHING;

  constructor(nonces: Iterable<string>) {
    this.#nonces = new Set(nonces);
  }

  addNonce(nonce: string): void {
    this.#nonces.add(nonce);
  }

  push(chunk: Buffer): FilteredPiece[] {
    const bytes = this.#held.byteLength === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const pieces: FilteredPiece[] = [];
    let outputFrom = 0;
    let at = bytes.indexOf(START);
    while (at !== -1) {
      const end = markEnd(bytes, at);
      if (end === "unfinished") break;
      const piece = end === "none" ? null : this.#markAt(bytes, at, end);
      if (piece !== null && end !== "none") {
        pushOutput(pieces, bytes.subarray(outputFrom, at));
        pieces.push(piece);
        outputFrom = end + 1;
      }
      at = bytes.indexOf(START, piece === null || end === "none" ? at + 1 : end + 1);
    }
    const keepFrom = at === -1 ? Math.max(outputFrom, bytes.byteLength - partialStart(bytes)) : at;
    pushOutput(pieces, bytes.subarray(outputFrom, keepFrom));
    this.#held = keepFrom === bytes.byteLength ? NOTHING : Buffer.from(bytes.subarray(keepFrom));
    return pieces;
  }

  /** Returns a partial mark at the end of the stream, which was plain output. Call this once, at that end. */
  flush(): Buffer {
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    return rest;
  }

  #markAt(bytes: Buffer, at: number, end: number): FilteredPiece | null {
    const [nonce = "", ...parts] = bytes.toString("latin1", at + START.byteLength, end).split(";");
    const mark = this.#nonces.has(nonce) ? parseMark(parts) : null;
    return mark === null ? null : { type: "mark", mark, nonce };
  }
}

/** Returns the index of the end of a mark; "none" if the bytes cannot be a mark. */
function markEnd(bytes: Buffer, at: number): number | "none" | "unfinished" {
  const from = at + START.byteLength;
  const limit = Math.min(bytes.byteLength, from + MAX_MARK_BODY + 1);
  for (let index = from; index < limit; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === END) return index;
    const isBodyByte = byte >= 0x20 && byte < 0x7f;
    if (!isBodyByte) return "none";
  }
  return limit === bytes.byteLength && limit - from <= MAX_MARK_BODY ? "unfinished" : "none";
}

/** Returns how many bytes at the end may be the beginning of a mark's start. */
function partialStart(bytes: Buffer): number {
  for (let length = Math.min(START.byteLength - 1, bytes.byteLength); length > 0; length -= 1) {
    if (bytes.subarray(bytes.byteLength - length).equals(START.subarray(0, length))) return length;
  }
  return 0;
}

function pushOutput(pieces: FilteredPiece[], bytes: Buffer): void {
  if (bytes.byteLength > 0) pieces.push({ type: "output", bytes });
}
