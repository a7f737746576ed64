import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const BODY_MAX_BYTES = 16 * 1024 * 1024;

/** Starts an HTTP server on a free port of 127.0.0.1; if `answer` rejects, `refuse` sends the error to the client. */
export async function startLoopbackServer(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  refuse: (response: ServerResponse, problem: string) => void,
): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      refuse(response, `unreadable request: ${String(error)}`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > BODY_MAX_BYTES) throw new Error(`body over ${BODY_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  // After the headers are sent, the error can no longer be reported.
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
