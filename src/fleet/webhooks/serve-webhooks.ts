import { createServer, type IncomingMessage } from "node:http";
import type { Clock } from "agent-tty/kit";
import { listen, type ListeningServer } from "../http-server.ts";
import { type Answer, ANSWERS, type Receiver } from "./receiver.ts";

/** GitHub's maximum payload size, in bytes. */
const MAX_BODY = 25 * 1024 * 1024;
/** The maximum size of all unfinished requests together, in bytes: their signatures have not been checked yet. */
const MAX_HELD = 4 * MAX_BODY;
const MAX_CONNECTIONS = 512;
/** GitHub waits this long for an answer. */
const REQUEST_TIMEOUT_MS = 10_000;
/**
 * The time for which an idle connection stays open. It exceeds the 60 s for which reverse proxies usually keep a connection to
 * reuse it: a delivery sent while the server closes the connection would be lost, because a proxy does not repeat a POST and GitHub
 * does not redeliver.
 */
const KEEP_ALIVE_MS = 75_000;
const CLOSE_PATIENCE_MS = 5_000;
const WEBHOOK_PATH = "/webhooks";

/**
 * Serves `POST /webhooks` until disposed; requests in progress are answered before it closes. `port` 0: any free port. Rejects
 * with FLEET_PORT_REFUSED.
 */
export async function serveWebhooks(
  receiver: Receiver,
  { host, port, clock }: { host: string; port: number; clock: Clock },
): Promise<ListeningServer> {
  let held = 0;
  const read = async (request: IncomingMessage): Promise<Uint8Array | Answer> => {
    if (Number(request.headers["content-length"] ?? 0) > MAX_BODY) return "oversized";
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const part of request.iterator({ destroyOnReturn: false })) {
        const chunk = part as Buffer;
        size += chunk.length;
        held += chunk.length;
        if (size > MAX_BODY) return "oversized";
        if (held > MAX_HELD) return "unavailable";
        chunks.push(chunk);
      }
    } catch {
      return "malformed";
    } finally {
      held -= size;
    }
    return Buffer.concat(chunks);
  };
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      const end = (status: number, text: string): void => {
        // The rest of the request is not read.
        if (!request.complete) response.setHeader("connection", "close");
        response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
      };
      if (request.url !== WEBHOOK_PATH) return end(404, "not found");
      if (request.method !== "POST") {
        response.setHeader("allow", "POST");
        return end(405, "not allowed");
      }
      void read(request).then(async (body) => {
        const answer =
          typeof body === "string"
            ? receiver.count(body)
            : await receiver.receive({ headers: request.headers, body });
        end(ANSWERS[answer], answer);
      });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  return listen(server, {
    host,
    port,
    attempted: "receive webhooks",
    option: "port",
    patience: { clock, ms: CLOSE_PATIENCE_MS },
  });
}
