import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "agent-tty/kit";

export interface RecordedRequest {
  method: string;
  /** The path with its query. */
  path: string;
  body: string;
  /** The status that the client saw; null when the connection was dropped. */
  status: number | null;
}

/** A request with this header passes the proxy unseen. */
export const AS_OTHERS = "x-test-as-others";

export type Fault =
  /** The proxy answers; upstream does not get the request. */
  | { type: "answer"; status: number; headers?: Record<string, string>; body?: string }
  /** The connection ends before upstream gets the request. */
  | { type: "drop-before" }
  /** Upstream handles the request, but the client gets no answer. */
  | { type: "drop-after" }
  /** Upstream handles the request, and the client gets a different answer. */
  | { type: "answer-after"; status: number; body: string }
  /** The connection ends, and upstream handles the request some time later. */
  | { type: "done-late"; afterMs: number };

export interface RecordingProxy extends AsyncDisposable {
  readonly url: string;
  readonly requests: RecordedRequest[];
  /** Returns the fault of a request; the default is none. */
  onRequest: (request: Omit<RecordedRequest, "status">) => Fault | null;
  /** Answers a request of the credential in place of upstream, or returns null to leave it to upstream. */
  respond: (
    request: Omit<RecordedRequest, "status">,
  ) => Promise<Pick<UpstreamAnswer, "status" | "body"> | null>;
  /** Transforms upstream's answers, including those to other people; by default it changes nothing. */
  onAnswer: (request: Omit<RecordedRequest, "status">, answer: UpstreamAnswer) => Promise<UpstreamAnswer>;
}

export interface UpstreamAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Starts a loopback HTTP proxy in front of an emulated GitHub. It records every request, injects faults, answers 401 to unknown
 * tokens, and adds ETags with 304s, none of which the emulator does.
 */
export async function startRecordingProxy(options: {
  /** The socket the emulated GitHub listens on. */
  upstreamSocket: string;
  knownTokens: readonly string[];
  /** Whether the signed tokens of GitHub Apps pass, so that upstream checks them. */
  admitsApps?: boolean;
}): Promise<RecordingProxy> {
  const requests: RecordedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void handle(incoming, outgoing);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const proxy: RecordingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    onRequest: () => null,
    respond: () => Promise.resolve(null),
    onAnswer: (_request, answer) => Promise.resolve(answer),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const record: RecordedRequest = {
      method: incoming.method ?? "GET",
      path: incoming.url ?? "/",
      body: await textOf(incoming),
      status: null,
    };
    // Requests of other people are neither recorded nor disturbed.
    const isOthers = incoming.headers[AS_OTHERS] !== undefined;
    if (!isOthers) requests.push(record);
    const answer = (status: number, headers: Record<string, string>, body: string): void => {
      record.status = status;
      outgoing.writeHead(status, headers).end(status === 304 || status === 204 ? undefined : body);
    };

    const fault = isOthers ? null : proxy.onRequest(record);
    if (fault?.type === "drop-before") {
      incoming.socket.destroy();
      return;
    }
    if (fault?.type === "answer") {
      answer(fault.status, { "content-type": "application/json", ...fault.headers }, fault.body ?? "{}");
      return;
    }
    if (fault?.type === "done-late") {
      incoming.socket.destroy();
      await systemClock.sleep(fault.afterMs);
    }
    const token = /^(?:token|bearer) (.+)$/i.exec(incoming.headers.authorization ?? "")?.[1] ?? "";
    const isApps = options.admitsApps === true && token.startsWith("eyJ");
    if (!isApps && !options.knownTokens.includes(token)) {
      answer(401, { "content-type": "application/json" }, JSON.stringify({ message: "Bad credentials" }));
      return;
    }
    const responded = isOthers ? null : await proxy.respond(record);
    const upstream =
      responded === null
        ? await proxy.onAnswer(record, await forward(options.upstreamSocket, incoming, record))
        : { headers: { "content-type": "application/json" }, ...responded };
    if (fault?.type === "drop-after") incoming.socket.destroy();
    if (fault?.type === "drop-after" || fault?.type === "done-late") return;
    if (fault?.type === "answer-after") {
      answer(fault.status, { "content-type": "application/json" }, fault.body);
      return;
    }
    const etag = `W/"${createHash("sha256").update(upstream.body).digest("hex").slice(0, 32)}"`;
    const isUnchanged = record.method === "GET" && incoming.headers["if-none-match"] === etag;
    const headers =
      record.method === "GET" && upstream.status === 200 ? { ...upstream.headers, etag } : upstream.headers;
    answer(isUnchanged ? 304 : upstream.status, headers, upstream.body);
  }
  return proxy;
}

const FORWARDED = ["authorization", "accept", "content-type", "user-agent", "x-github-api-version"];
/** The upstream body is decoded and sent whole, so these headers would be wrong. */
const DROPPED = new Set([
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
]);

async function forward(
  socketPath: string,
  incoming: IncomingMessage,
  record: RecordedRequest,
): Promise<UpstreamAnswer> {
  const sent = Object.fromEntries(
    FORWARDED.flatMap((name): [string, string][] => {
      const value = incoming.headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { ...sent, host: "github.test", "content-length": Buffer.byteLength(record.body) };
    httpRequest({ socketPath, method: record.method, path: record.path, headers, agent: false }, resolve)
      .on("error", reject)
      .end(record.body);
  });
  const headers = Object.fromEntries(
    Object.entries(response.headers)
      .filter(([name]) => !DROPPED.has(name))
      .map(([name, value]) => [name, String(value)]),
  );
  return { status: response.statusCode ?? 500, headers, body: await textOf(response) };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
