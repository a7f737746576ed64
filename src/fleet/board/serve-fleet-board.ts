import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Ids, messageOf } from "agent-tty/kit";
import { listen, type ListeningServer } from "../http-server.ts";
import { type FleetStatus, scopeStatus, type ScopedStatus } from "../status/index.ts";
import { type BoardToken, presentedToken, signInCookie, tokenOf } from "./board-tokens.ts";
import { fleetBoardDocument } from "./fleet-board-document.ts";
import { fleetBoardPage, signInPage } from "./fleet-board-page.ts";

export interface FleetBoardPorts {
  /** Returns the status to show. It is called for every request. */
  status: () => Promise<FleetStatus>;
  tokens: readonly BoardToken[];
  ids: Ids;
  onFailure: (message: string) => void;
}

const REQUEST_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 64;
const NONCE_BYTES = 16;
const ORIGIN = "http://board.invalid";
const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};

/**
 * Serves the board over the fleet until disposed (F8): `GET /` returns a page without scripts, `GET /api/fleet` its data as JSON.
 * Both need a token, and show only the repositories that it covers. `GET /?token=…` signs the browser in with a cookie. `port` 0:
 * any free port. Rejects with FLEET_PORT_REFUSED.
 */
export async function serveFleetBoard(
  ports: FleetBoardPorts,
  { host, port }: { host: string; port: number },
): Promise<ListeningServer> {
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      request.resume();
      answer(ports, request, response).catch((error: unknown) => {
        ports.onFailure(`the board of the fleet: ${messageOf(error)}`);
        problem(
          response,
          503,
          "Not available",
          "The database of the fleet does not answer. Try again in a moment.",
        );
      });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  return listen(server, {
    host,
    port,
    attempted: "serve the board of the fleet",
    option: "--board-port",
    patience: null,
  });
}

async function answer(
  ports: FleetBoardPorts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return problem(response, 405, "Not allowed", "Only GET is allowed: the board is read-only.");
  }
  const { url: asked = "/" } = request;
  // The origin and the path are joined as text, because a URL relative to the origin would parse a scanner's `//x` as the host `x`.
  const address = asked.startsWith("/") ? `${ORIGIN}${asked}` : asked;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.pathname !== "/" && url.pathname !== "/api/fleet"))
    return problem(response, 404, "Not found", "The board serves / and /api/fleet.");
  const given = url.searchParams.get("token");
  if (given !== null) return signIn(ports, given, request, response);
  const { authorization, cookie } = request.headers;
  const held = presentedToken(ports.tokens, { authorization, cookie });
  if (held === null) return refuse(ports, url.pathname, response);
  const status = scopeStatus(await ports.status(), held.scopes);
  if (url.pathname === "/api/fleet") return end(response, 200, "application/json", json(status));
  page(ports, response, 200, (nonce) => fleetBoardPage(status, nonce));
}

function signIn(
  { tokens }: FleetBoardPorts,
  given: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const held = tokenOf(tokens, given);
  if (held === null)
    return problem(response, 401, "Token wrong", "The token in this address is not a token of this board.");
  const isSecure = request.headers["x-forwarded-proto"] === "https";
  response.setHeader("set-cookie", signInCookie(held, isSecure));
  response.setHeader("location", "/");
  end(response, 303, "text/plain", "");
}

/**
 * Refuses a request without a token: on the page's path with a page that explains how to sign in, on the API's path with a JSON
 * problem.
 */
function refuse(ports: FleetBoardPorts, path: string, response: ServerResponse): void {
  if (path === "/") return page(ports, response, 401, signInPage);
  response.setHeader("www-authenticate", 'Bearer realm="afk-triage fleet"');
  problem(response, 401, "Token needed", "Send a token of this board as `Authorization: Bearer`.");
}

function page(
  { ids }: FleetBoardPorts,
  response: ServerResponse,
  status: number,
  html: (nonce: string) => string,
): void {
  const nonce = ids.hex(NONCE_BYTES);
  response.setHeader(
    "content-security-policy",
    `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  end(response, status, "text/html; charset=utf-8", html(nonce));
}

function json(status: ScopedStatus): string {
  return JSON.stringify(fleetBoardDocument(status));
}

function problem(response: ServerResponse, status: number, title: string, detail: string): void {
  end(response, status, "application/problem+json", JSON.stringify({ title, status, detail }));
}

function end(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...HEADERS, "content-type": type }).end(body);
}
