import { protocolViolation } from "./protocol-error.ts";

/**
 * A message is JSON in one or more frames; a frame is a 4-byte big-endian header and its payload. The header's top bit means that
 * the message continues in the next frame; the other bits are the payload's length.
 */
const HEADER_BYTES = 4;
const MORE = 0x8000_0000;
const MAX_FRAME_BYTES = 256 * 1024;

/**
 * The largest message that a host accepts from a client, and a client from its host (a snapshot with all cells and scrollback).
 */
export const MAX_REQUEST_BYTES = 32 * 1024 * 1024;
export const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

/** Encodes a message as JSON in length-prefixed frames of at most MAX_FRAME_BYTES each. */
export function encodeMessage(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const frames: Buffer[] = [];
  for (let start = 0; start < body.byteLength; start += MAX_FRAME_BYTES) {
    const payload = body.subarray(start, start + MAX_FRAME_BYTES);
    const isLast = start + payload.byteLength === body.byteLength;
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32BE(isLast ? payload.byteLength : payload.byteLength + MORE);
    frames.push(header, payload);
  }
  return Buffer.concat(frames);
}

/** Reassembles messages, however the bytes were cut. Holds at most one message of `maxMessageBytes`. */
export class FrameDecoder {
  readonly #maxMessageBytes: number;
  #rest: Buffer = Buffer.alloc(0);
  #payloads: Buffer[] = [];
  #payloadBytes = 0;

  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** Returns the messages that `bytes` completes. Throws PROTOCOL_VIOLATION; do not use the decoder afterwards. */
  push(bytes: Buffer): unknown[] {
    const messages: unknown[] = [];
    let rest = this.#rest.byteLength === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (rest.byteLength >= HEADER_BYTES) {
      const header = rest.readUInt32BE();
      const length = header % MORE;
      this.#checkLength(length);
      if (rest.byteLength < HEADER_BYTES + length) break;
      this.#payloads.push(rest.subarray(HEADER_BYTES, HEADER_BYTES + length));
      this.#payloadBytes += length;
      rest = rest.subarray(HEADER_BYTES + length);
      if (header < MORE) messages.push(this.#take());
    }
    this.#rest = rest;
    return messages;
  }

  #checkLength(length: number): void {
    if (length === 0 || length > MAX_FRAME_BYTES)
      throw protocolViolation(`got a frame of ${length} bytes; 1 to ${MAX_FRAME_BYTES} are allowed`);
    if (this.#payloadBytes + length > this.#maxMessageBytes)
      throw protocolViolation(`got a message above the limit of ${this.#maxMessageBytes} bytes`);
  }

  #take(): unknown {
    const body = Buffer.concat(this.#payloads, this.#payloadBytes).toString("utf8");
    this.#payloads = [];
    this.#payloadBytes = 0;
    try {
      return JSON.parse(body);
    } catch {
      throw protocolViolation("got a message that is not JSON");
    }
  }
}
