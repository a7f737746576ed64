import { createServer, type ServerResponse } from "node:http";
import { type Clock, messageOf, startDeadline, raceSignal } from "agent-tty/kit";
import { listen, type ListeningServer } from "../http-server.ts";
import type { VisitQueue } from "../queue/index.ts";
import type { FleetMetrics } from "./fleet-metrics.ts";

export interface OperationPorts {
  queue: Pick<VisitQueue, "state">;
  metrics: Pick<FleetMetrics, "scrape">;
  /** True after SIGTERM: the worker begins no further visit. */
  isDraining: () => boolean;
  clock: Clock;
}

/** If the database needs longer to answer, the worker is not ready. */
const READY_WITHIN_MS = 2_000;
const REQUEST_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 64;

/**
 * Serves `GET /health` (200 while the process lives), `GET /ready` (503 while it drains or the database does not answer) and
 * `GET /metrics` until disposed (F7). `port` 0: any free port. Rejects with FLEET_PORT_REFUSED.
 */
export async function serveOperation(
  { queue, metrics, isDraining, clock }: OperationPorts,
  { host, port }: { host: string; port: number },
): Promise<ListeningServer> {
  const unready = async (): Promise<string | null> => {
    if (isDraining()) return "This worker is draining: it begins no further visit.";
    using deadline = startDeadline(clock, "asking the database of the fleet", READY_WITHIN_MS);
    return await raceSignal(queue.state(), deadline.signal).then(
      () => null,
      (error: unknown) => `The database does not answer: ${messageOf(error)}`,
    );
  };
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    switch (path) {
      case "/health":
        return end(response, 200, "application/json", JSON.stringify({ status: "ok" }));
      case "/ready": {
        const detail = await unready();
        if (detail === null)
          return end(response, 200, "application/json", JSON.stringify({ status: "ready" }));
        return problem(response, 503, "Not ready", detail);
      }
      case "/metrics": {
        const { contentType, text } = await metrics.scrape();
        return end(response, 200, contentType, text);
      }
      default:
        return problem(response, 404, "Not found", "This port serves /health, /ready and /metrics.");
    }
  };
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      request.resume();
      if (request.method !== "GET" && request.method !== "HEAD") {
        response.setHeader("allow", "GET, HEAD");
        return problem(response, 405, "Not allowed", "Only GET is allowed.");
      }
      const [path = ""] = (request.url ?? "").split("?", 1);
      answer(path, response).catch((error: unknown) => problem(response, 500, "Failed", messageOf(error)));
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  return listen(server, {
    host,
    port,
    attempted: "serve health and metrics",
    option: "--ops-port",
    patience: null,
  });
}

function problem(response: ServerResponse, status: number, title: string, detail: string): void {
  end(response, status, "application/problem+json", JSON.stringify({ title, status, detail }));
}

function end(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
}
