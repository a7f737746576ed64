import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "agent-tty/kit";
import { type WebSocket, WebSocketServer } from "ws";
import { parseBoardRunId } from "../api/index.ts";
import { type AccessRules, checkAccess } from "./access.ts";
import { answerOf, Refusal } from "./board-error.ts";
import { boardRoutes } from "./board-routes.ts";
import type { BoardSource } from "./board-source.ts";
import type { Readers } from "./readers.ts";
import { factsOfUpgrade } from "./request-facts.ts";
import { closeCodes, serveTerminal } from "./terminal-socket.ts";

export interface UpgradePorts {
  source: Pick<BoardSource, "terminal">;
  readers: Readers;
  rules: AccessRules;
  clock: Clock;
  redact: (text: string) => string;
  onFailure: (error: unknown) => void;
}

/** The largest message of a reader, in bytes. Readers only listen, so their messages are ignored. */
const MAX_MESSAGE_BYTES = 1_024;
const BASE = "http://board";
const TERMINAL_PATH = /^\/api\/runs\/([^/]{1,300})\/terminal$/;

/** The WebSocket part of the server (O22). A refused reader gets an HTTP response and no upgrade. */
export class TerminalUpgrades implements AsyncDisposable {
  readonly #ports: UpgradePorts;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  readonly #closing = new AbortController();
  readonly #served = new Set<Promise<void>>();

  constructor(ports: UpgradePorts) {
    this.#ports = ports;
  }

  take(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    // A reader that disconnects during the upgrade is not a failure.
    stream.on("error", () => undefined);
    try {
      const asked = this.#admit(request);
      this.#sockets.handleUpgrade(request, stream, head, (socket) => {
        const served = this.#serve(socket, asked).finally(() => this.#served.delete(served));
        this.#served.add(served);
      });
    } catch (error) {
      refuse(stream, error, this.#ports);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error("the board is closing"));
    for (const socket of this.#sockets.clients) socket.close(closeCodes.goingAway, "the board is closing");
    await Promise.all(this.#served);
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  #admit(request: IncomingMessage): Asked {
    const given = request.url ?? "/";
    // Some targets, such as `//`, are not a URL. There is no terminal at such a target, and it is checked like any other.
    const { pathname, searchParams } = new URL(URL.canParse(given, BASE) ? given : "/", BASE);
    checkAccess(factsOfUpgrade(request, pathname), this.#ports.rules);
    const key = parseBoardRunId(decoded(TERMINAL_PATH.exec(pathname)?.[1] ?? ""));
    const query = boardRoutes.terminal.request.query.safeParse(Object.fromEntries(searchParams));
    if (key === null)
      throw new Refusal("NOT_FOUND", `there is no WebSocket at ${pathname}`, "See /api/openapi.json.");
    if (!query.success)
      throw new Refusal(
        "REQUEST_INVALID",
        query.error.message,
        "See /api/openapi.json for the expected request.",
      );
    const { terminal, afterSeq = null, session: sessionId = null } = query.data;
    return { key, terminal, afterSeq, sessionId };
  }

  async #serve(socket: WebSocket, { key, terminal, afterSeq, sessionId }: Asked): Promise<void> {
    const { source, readers, clock, onFailure } = this.#ports;
    const left = new AbortController();
    socket.on("close", () => left.abort(new Error("the reader has disconnected")));
    socket.on("error", () => socket.terminate());
    const signal = AbortSignal.any([left.signal, this.#closing.signal]);
    let leave = (): void => undefined;
    try {
      leave = readers.take();
      const frames = await source.terminal(key, terminal, { afterSeq, sessionId, signal });
      if (frames === null) socket.close(closeCodes.refused, "this Triage Run has no such terminal");
      else await serveTerminal(socket, frames, { clock, signal });
    } catch (error) {
      if (signal.aborted) return;
      const isFull = error instanceof Refusal;
      if (!isFull) onFailure(error);
      socket.close(
        isFull ? closeCodes.tryLater : closeCodes.failed,
        isFull ? error.message.slice(0, 120) : "the terminal cannot be read",
      );
    } finally {
      leave();
    }
  }
}

interface Asked {
  key: NonNullable<ReturnType<typeof parseBoardRunId>>;
  terminal: "triage-agent" | "verification";
  afterSeq: number | null;
  sessionId: string | null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function refuse(stream: Duplex, error: unknown, { redact, onFailure }: UpgradePorts): void {
  const { status, headers, failure } = answerOf(error, redact);
  if (status === 500) onFailure(error);
  const body = JSON.stringify(failure);
  stream.end(
    [
      `HTTP/1.1 ${status} Refused`,
      "Connection: close",
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      "X-Content-Type-Options: nosniff",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "",
      body,
    ].join("\r\n"),
  );
}
