import { once } from "node:events";
import type { Socket } from "node:net";
import { connectRpcSocket, encodeMessage, FrameDecoder } from "agent-tty";
import {
  type Clock,
  DeadlineExceeded,
  messageOf,
  OperationalError,
  raceSignal,
  startDeadline,
} from "agent-tty/kit";
import type { RunUpdate } from "../owner/index.ts";
import {
  CONTROL_REPLIES,
  CONTROL_VERSION,
  type ControlCall,
  type ControlMessage,
  controlMessageSchema,
  type ControlReply,
  MAX_MESSAGE_BYTES,
} from "./control-calls.ts";
import { controlDirectory } from "./control-directory.ts";
import { controlLost, controlViolation } from "./control-error.ts";

const CONNECT_PATIENCE_MS = 5_000;
const ANSWER_PATIENCE_MS = 30_000;

export type ParentLookup =
  | { type: "connected"; parent: ParentConnection }
  /** The socket has no listener: the parent ended or was killed. The store has its last known state. */
  | { type: "gone"; seen: string };

export interface ParentConnection extends AsyncDisposable {
  /** Rejects with a ControlErrorCode, the parent's own failure, or the signal's reason. */
  call<Call extends Exclude<ControlCall, { method: "observe" }>>(
    call: Call,
    signal: AbortSignal,
  ): Promise<ControlReply<Call["method"]>>;
  /**
   * Calls back with every update until the run ends. Aborting stops the observation and does not affect the run
   * (C17).
   */
  observe(
    call: Extract<ControlCall, { method: "observe" }>,
    onUpdate: (update: RunUpdate) => void,
    signal: AbortSignal,
  ): Promise<ControlReply<"observe">>;
}

/** Connects to the parent of a batch from any process of the same user and home. */
export async function connectToParent(
  batch: { home: string; runId: string },
  clock: Clock,
): Promise<ParentLookup> {
  let socket: Socket | null = null;
  using deadline = startDeadline(clock, "connecting to the batch's parent", CONNECT_PATIENCE_MS);
  try {
    socket = connectRpcSocket(controlDirectory(batch.home, batch.runId));
    await once(socket, "connect", { signal: deadline.signal });
    return { type: "connected", parent: new ParentSocket(socket, clock) };
  } catch (error) {
    socket?.destroy();
    return { type: "gone", seen: messageOf(error) };
  }
}

interface Waiting {
  onMessage(message: ControlMessage): void;
  fail(error: Error): void;
}

class ParentSocket implements ParentConnection {
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #closed: Promise<unknown>;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: Error | null = null;

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    const decoder = new FrameDecoder(MAX_MESSAGE_BYTES);
    socket.on("data", (bytes) => this.#onBytes(decoder, bytes));
    // The close event that follows rejects the pending calls.
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    this.#closed = once(socket, "close");
    socket.on("close", () => this.#fail(controlLost("its parent closed the connection")));
  }

  async call<Call extends Exclude<ControlCall, { method: "observe" }>>(
    call: Call,
    signal: AbortSignal,
  ): Promise<ControlReply<Call["method"]>> {
    using deadline = startDeadline(this.#clock, `the answer to ${call.method}`, ANSWER_PATIENCE_MS, signal);
    try {
      return (await this.#ask(call, () => undefined, deadline.signal)) as ControlReply<Call["method"]>;
    } catch (error) {
      throw error instanceof DeadlineExceeded ? controlLost(error.message, error) : error;
    }
  }

  async observe(
    call: Extract<ControlCall, { method: "observe" }>,
    onUpdate: (update: RunUpdate) => void,
    signal: AbortSignal,
  ): Promise<ControlReply<"observe">> {
    return (await this.#ask(call, onUpdate, signal)) as ControlReply<"observe">;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    await this.#closed;
  }

  async #ask(
    call: ControlCall,
    onUpdate: (update: RunUpdate) => void,
    signal: AbortSignal,
  ): Promise<unknown> {
    if (this.#failure !== null) throw this.#failure;
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<unknown>((resolve, fail) => {
      const onMessage = (message: ControlMessage): void => {
        if (message.type === "update") onUpdate(message.update);
        else if (message.type === "failure") fail(new OperationalError(message.error));
        else resolve(message.reply);
      };
      this.#waiting.set(id, { onMessage, fail });
    });
    this.#socket.write(encodeMessage({ v: CONTROL_VERSION, id, call }));
    try {
      const parsed = CONTROL_REPLIES[call.method].safeParse(await raceSignal(answer, signal));
      if (parsed.success) return parsed.data;
      throw controlViolation(`the answer to ${call.method} is not understood: ${parsed.error.message}`);
    } finally {
      this.#waiting.delete(id);
    }
  }

  #onBytes(decoder: FrameDecoder, bytes: Buffer): void {
    try {
      for (const message of decoder.push(bytes)) this.#onMessage(message);
    } catch (error) {
      this.#fail(error instanceof OperationalError ? controlViolation(error.message) : (error as Error));
      this.#socket.destroy();
    }
  }

  #onMessage(message: unknown): void {
    const parsed = controlMessageSchema.safeParse(message);
    if (!parsed.success)
      throw controlViolation(`the parent's message is not understood: ${parsed.error.message}`);
    const { data } = parsed;
    if (data.id !== null) this.#waiting.get(data.id)?.onMessage(data);
    else if (data.type === "failure") this.#fail(new OperationalError(data.error));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.fail(this.#failure);
    this.#waiting.clear();
  }
}
