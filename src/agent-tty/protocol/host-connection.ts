import type { Socket } from "node:net";
import {
  type Clock,
  DeadlineExceeded,
  messageOf,
  OperationalError,
  raceSignal,
  startDeadline,
} from "../kit/index.ts";
import { type Call, type Method, PROTOCOL_VERSION } from "./calls.ts";
import { encodeMessage, FrameDecoder, MAX_RESPONSE_BYTES } from "./frames.ts";
import { hostUnreachable, type ProtocolErrorCode, protocolViolation } from "./protocol-error.ts";
import { type Reply, REPLY_SCHEMAS, type Response, responseSchema } from "./replies.ts";
import { connectRpcSocket } from "./rpc-socket.ts";

const CONNECT_PATIENCE_MS = 5_000;
/** Extra time for the host beyond the time limit of the call itself. */
const ANSWER_PATIENCE_MS = 10_000;

export interface HostConnection extends AsyncDisposable {
  /** Resolves when the connection to the host is closed. */
  readonly closed: Promise<void>;
  /**
   * Rejects with the host's own error, or with HOST_TIMEOUT, HOST_UNREACHABLE (the host disappeared) or PROTOCOL_VIOLATION. An
   * abort ends only the waiting; what the call has started continues.
   */
  call<M extends Method>(call: Extract<Call, { method: M }>, signal?: AbortSignal): Promise<Reply<M>>;
}

/** Connects to the host of a Session. Rejects with HOST_UNREACHABLE if no process listens on its socket. */
export async function connectHost(
  target: { sessionId: string; directory: string },
  clock: Clock,
): Promise<HostConnection> {
  const socket = connectRpcSocket(target.directory);
  using deadline = startDeadline(clock, "connecting to the Session's host", CONNECT_PATIENCE_MS);
  try {
    const opened = new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve).once("error", reject);
    });
    await raceSignal(opened, deadline.signal);
  } catch (error) {
    socket.destroy();
    throw hostUnreachable(target.sessionId, messageOf(error), error);
  }
  return new SocketConnection(socket, target.sessionId, clock);
}

interface Waiting {
  settle(response: Response): void;
  fail(error: Error): void;
}

class SocketConnection implements HostConnection {
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #sessionId: string;
  readonly #clock: Clock;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: Error | null = null;

  constructor(socket: Socket, sessionId: string, clock: Clock) {
    this.#socket = socket;
    this.#sessionId = sessionId;
    this.#clock = clock;
    const decoder = new FrameDecoder(MAX_RESPONSE_BYTES);
    socket.on("data", (bytes) => this.#onBytes(decoder, bytes));
    // The `close` event that follows notifies the callers.
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    this.closed = new Promise((resolve) => {
      socket.on("close", () => {
        this.#fail(hostUnreachable(sessionId, "it closed the connection"));
        resolve();
      });
    });
  }

  async call<M extends Method>(call: Extract<Call, { method: M }>, signal?: AbortSignal): Promise<Reply<M>> {
    const response = await this.#send(call, signal);
    if (!response.ok) throw new OperationalError(response.error);
    const reply = REPLY_SCHEMAS[call.method].safeParse(response.reply);
    if (reply.success) return reply.data as Reply<M>;
    throw protocolViolation(`the host's answer to ${call.method} is not understood: ${reply.error.message}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    return this.closed;
  }

  async #send(call: Call, signal: AbortSignal | undefined): Promise<Response> {
    if (this.#failure !== null) throw this.#failure;
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<Response>((settle, fail) => this.#waiting.set(id, { settle, fail }));
    this.#socket.write(encodeMessage({ v: PROTOCOL_VERSION, id, call }));
    try {
      return await this.#within(call, answer, signal);
    } finally {
      this.#waiting.delete(id);
    }
  }

  async #within(call: Call, answer: Promise<Response>, signal: AbortSignal | undefined): Promise<Response> {
    const callMs = "timeoutMs" in call ? call.timeoutMs : 0;
    if (callMs === null) return signal === undefined ? answer : raceSignal(answer, signal);
    const patienceMs = Math.min(callMs + ANSWER_PATIENCE_MS, 2_147_483_647);
    using deadline = startDeadline(this.#clock, `the answer to ${call.method}`, patienceMs, signal);
    try {
      return await raceSignal(answer, deadline.signal);
    } catch (error) {
      if (!(error instanceof DeadlineExceeded)) throw error;
      throw new OperationalError<ProtocolErrorCode>({
        code: "HOST_TIMEOUT",
        message: `the host of Session ${this.#sessionId} accepted the call but did not answer: ${error.message}`,
        remedy: "Try again. If the host still does not answer, destroy the Session with --force.",
        cause: error,
      });
    }
  }

  #onBytes(decoder: FrameDecoder, bytes: Buffer): void {
    try {
      for (const message of decoder.push(bytes)) this.#onMessage(message);
    } catch (error) {
      this.#fail(error as Error);
      this.#socket.destroy();
    }
  }

  #onMessage(message: unknown): void {
    const parsed = responseSchema.safeParse(message);
    if (!parsed.success) throw protocolViolation(`the host sent no response: ${parsed.error.message}`);
    const response = parsed.data;
    if (response.id !== null) this.#waiting.get(response.id)?.settle(response);
    else if (!response.ok) this.#fail(new OperationalError(response.error));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.fail(this.#failure);
    this.#waiting.clear();
  }
}
