import type { Socket } from "node:net";
import { messageOf, OperationalError, readAs, storageRefusal } from "../kit/index.ts";
import {
  type Call,
  callSchema,
  encodeMessage,
  FrameDecoder,
  MAX_REQUEST_BYTES,
  PROTOCOL_VERSION,
  protocolViolation,
  requestSchema,
  type Response,
} from "../protocol/index.ts";

/** At this many running calls, or with this many unread bytes of replies, the client's next requests wait in its socket. */
const MAX_CALLS_AT_ONCE = 64;
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

type Answer = (call: Call, signal: AbortSignal) => Promise<unknown>;

/** One connected client. Reads its requests and writes the responses in the order in which they are finished. */
export class Client {
  readonly #socket: Socket;
  readonly #answer: Answer;
  readonly #decoder = new FrameDecoder(MAX_REQUEST_BYTES);
  readonly #gone = new AbortController();
  readonly #calls = new Set<Promise<void>>();
  #hasEnded = false;

  constructor(socket: Socket, answer: Answer) {
    this.#socket = socket;
    this.#answer = answer;
    socket.on("data", (bytes) => this.#onBytes(bytes));
    socket.on("drain", () => this.#regulate());
    // A client may close its half of the connection and still read, so its pending answers are sent first.
    socket.on("end", () => this.#onEnd());
    socket.on("error", () => undefined);
    socket.on("close", () => this.#gone.abort(new Error("the client has disconnected")));
  }

  /** Resolves when every call so far has been answered. */
  async answered(): Promise<void> {
    while (this.#calls.size > 0) await Promise.all(this.#calls);
  }

  /** Closes the connection after the answers that are already written. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #onBytes(bytes: Buffer): void {
    try {
      for (const message of this.#decoder.push(bytes)) this.#onMessage(message);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #onMessage(message: unknown): void {
    const request = requestSchema.safeParse(message);
    if (!request.success) throw protocolViolation("got a message that is not a request");
    const { v, id, call } = request.data;
    const done = this.#respond(v, id, call).finally(() => {
      this.#calls.delete(done);
      if (this.#hasEnded && this.#calls.size === 0) this.#socket.end();
      this.#regulate();
    });
    this.#calls.add(done);
    this.#regulate();
  }

  async #respond(version: number, id: number, call: unknown): Promise<void> {
    try {
      const reply = await this.#answer(parseCall(version, call), this.#gone.signal);
      this.#write({ id, ok: true, reply });
    } catch (error) {
      if (!this.#gone.signal.aborted) this.#write({ id, ok: false, error: failureOf(error) });
    }
  }

  /** Reports a protocol violation and closes the connection, because after malformed bytes the next message cannot be found. */
  #refuse(error: unknown): void {
    this.#write({ id: null, ok: false, error: failureOf(error) });
    this.#socket.removeAllListeners("data").resume();
    this.#hasEnded = true;
    if (this.#calls.size === 0) this.#socket.end();
  }

  #onEnd(): void {
    this.#hasEnded = true;
    if (this.#calls.size === 0) this.#socket.end();
  }

  #regulate(): void {
    const isBehind = this.#calls.size >= MAX_CALLS_AT_ONCE || this.#socket.writableLength > MAX_UNREAD_BYTES;
    if (isBehind) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #write(response: Response): void {
    if (this.#socket.writable) this.#socket.write(encodeMessage(response));
  }
}

function parseCall(version: number, call: unknown): Call {
  if (version !== PROTOCOL_VERSION)
    throw protocolViolation(`this host speaks version ${PROTOCOL_VERSION} and the client version ${version}`);
  const parsed = readAs(callSchema, call);
  if (parsed.type === "read") return parsed.value;
  throw protocolViolation(`got a call that is not understood: ${parsed.problems.join("; ").slice(0, 1_000)}`);
}

/** Returns an error as the document that a response contains. */
export function failureOf(error: unknown): Extract<Response, { ok: false }>["error"] {
  const known = error instanceof OperationalError ? error : storageRefusal(error);
  if (known !== null) {
    const { code, message, remedy, details } = known;
    return { code, message, remedy, details };
  }
  const remedy = "this is a defect of agent-tty: please report it with the command you ran";
  return { code: "INTERNAL", message: messageOf(error), remedy, details: {} };
}
