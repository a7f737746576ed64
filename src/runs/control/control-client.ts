import type { Socket } from "node:net";
import { encodeMessage, FrameDecoder } from "agent-tty";
import { messageOf, OperationalError } from "agent-tty/kit";
import { answerControl, type ControlPorts } from "./answer-control.ts";
import {
  CONTROL_VERSION,
  type ControlCall,
  controlCallSchema,
  type ControlMessage,
  controlRequestSchema,
  MAX_MESSAGE_BYTES,
} from "./control-calls.ts";
import { controlViolation } from "./control-error.ts";

/** The maximum number of concurrent calls of a client; further calls wait in its socket. */
const MAX_CALLS_AT_ONCE = 16;

/** One connected process: it receives calls and sends updates, replies and failures. */
export class ControlClient {
  readonly #socket: Socket;
  readonly #ports: ControlPorts;
  readonly #decoder = new FrameDecoder(MAX_MESSAGE_BYTES);
  readonly #gone = new AbortController();
  readonly #calls = new Set<Promise<void>>();

  constructor(socket: Socket, ports: ControlPorts) {
    this.#socket = socket;
    this.#ports = ports;
    socket.on("data", (bytes) => this.#onBytes(bytes));
    socket.on("error", () => undefined);
    // A client that closes its half makes no more calls and stops observing.
    socket.on("end", () => this.#gone.abort(new Error("the client has closed its end")));
    socket.on("close", () => this.#gone.abort(new Error("the client has disconnected")));
  }

  /** Resolves when every call is answered, including calls that observe a run to its end. */
  async end(): Promise<void> {
    while (this.#calls.size > 0) await Promise.all(this.#calls);
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #onBytes(bytes: Buffer): void {
    try {
      for (const message of this.#decoder.push(bytes)) this.#take(message);
    } catch (error) {
      // After malformed bytes the start of the next message is unknown.
      this.#fail(null, controlViolation(messageOf(error)));
      this.#socket.removeAllListeners("data").resume().end();
    }
  }

  #take(message: unknown): void {
    const call = this.#onMessage(message).finally(() => {
      this.#calls.delete(call);
      this.#socket.resume();
    });
    this.#calls.add(call);
    if (this.#calls.size >= MAX_CALLS_AT_ONCE) this.#socket.pause();
  }

  async #onMessage(message: unknown): Promise<void> {
    const request = controlRequestSchema.safeParse(message);
    if (!request.success) return this.#fail(null, controlViolation("got a message that is not a request"));
    const { v, id, call } = request.data;
    try {
      const reply = await answerControl(parseCall(v, call), this.#ports, {
        signal: this.#gone.signal,
        tell: (update) => this.#write({ type: "update", id, update }),
      });
      await this.#write({ type: "reply", id, reply });
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #fail(id: number | null, error: unknown): void {
    const { code, message, remedy } =
      error instanceof OperationalError
        ? error
        : {
            code: "INTERNAL_ERROR",
            message: messageOf(error),
            remedy: "This is a bug in afk-triage: report it with this message.",
          };
    void this.#write({ type: "failure", id, error: { code, message, remedy } });
  }

  /** Resolves when the bytes are written to the socket or the client has disconnected. */
  #write(message: ControlMessage): Promise<void> {
    if (!this.#socket.writable) return Promise.resolve();
    return new Promise((resolve) => {
      this.#socket.write(encodeMessage(message), () => resolve());
    });
  }
}

function parseCall(version: number, call: unknown): ControlCall {
  if (version !== CONTROL_VERSION)
    throw controlViolation(
      `this parent speaks version ${CONTROL_VERSION} of the control protocol, the client version ${version}`,
    );
  const parsed = controlCallSchema.safeParse(call);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`.trim());
  throw controlViolation(`got a call that is not understood: ${problems.join("; ").slice(0, 1_000)}`);
}
