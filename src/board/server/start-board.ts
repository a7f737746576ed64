import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type Clock, type Ids, messageOf, OperationalError } from "agent-tty/kit";
import { type AccessRules, authorityOf } from "./access.ts";
import { createApp } from "./board-app.ts";
import type { BoardErrorCode } from "./board-error.ts";
import type { BoardSource } from "./board-source.ts";
import { ChangeHub } from "./change-hub.ts";
import { type BoardLimits, boardLimits } from "./limits.ts";
import { readPageFiles } from "./page-files.ts";
import { failureResponse } from "./failure-response.ts";
import { ignoreUpgrade } from "./ignore-upgrade.ts";
import { Readers } from "./readers.ts";
import { TerminalUpgrades } from "./terminal-upgrades.ts";
import { unaskedConnections } from "./unasked-connections.ts";

export interface BoardOptions {
  source: BoardSource;
  /** A loopback address, e.g. `127.0.0.1` or `::1`. */
  host: string;
  /** 0: any free port. */
  port: number;
  token: string;
  allowsControl: boolean;
  version: string;
  /** The directory of the built page. */
  pageDirectory: string;
  clock: Clock;
  ids: Ids;
  /** Removes secrets from messages that leave this process (S18). */
  redact: (text: string) => string;
  /** Called with internal failures, for the board's operator. */
  onFailure: (error: unknown) => void;
  /** Returns the view of sweeps as a page whose style element has this nonce. Without this option, the board has no such view. */
  sweepPage?: (nonce: string) => Promise<string>;
  limits?: Partial<BoardLimits>;
}

export interface Board extends AsyncDisposable {
  /** `http://127.0.0.1:7878/`, without the token. */
  readonly url: string;
  readonly port: number;
}

const MAX_CONNECTIONS = 256;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const NONCE_BYTES = 16;
const CLOSE_PATIENCE_MS = 1_000;

/**
 * Starts the server, which listens until it is disposed (O22). Rejects with BOARD_ADDRESS_REFUSED or
 * BOARD_PORT_TAKEN.
 */
export async function startBoard(options: BoardOptions): Promise<Board> {
  refuseOpenAddress(options.host);
  const { source, clock, ids, version, redact, onFailure, token, allowsControl } = options;
  const limits = { ...boardLimits, ...options.limits };
  const server = createServer();
  server.maxConnections = MAX_CONNECTIONS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  const { host, port } = await listen(server, options);
  const rules: AccessRules = { authority: authorityOf(host, port), token, allowsControl };
  const hub = new ChangeHub({ source, clock, limits, onFailure });
  const app = createApp({
    source,
    hub,
    rules,
    limits,
    version,
    redact,
    onFailure,
    changeReaders: new Readers("change streams", limits.changeReaders),
    pageFiles: await readPageFiles(options.pageDirectory),
    nonce: () => ids.hex(NONCE_BYTES),
    sweepPage: options.sweepPage ?? null,
  });
  const terminalReaders = new Readers("terminals", limits.terminalReaders);
  const upgrades = new TerminalUpgrades({
    source,
    rules,
    clock,
    redact,
    onFailure,
    readers: terminalReaders,
  });
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    // Malformed HTTP never reaches the app, so it is answered here.
    errorHandler: (error) => failureResponse(error, options),
  });
  const cutUnasked = unaskedConnections(server);
  let isClosing = false;
  server.on("request", (request, response) => {
    // A connection that has received its last answer must not keep the server open.
    response.on("close", () => isClosing && setImmediate(() => server.closeIdleConnections()));
    void answer(request, response);
  });
  server.on("upgrade", (request, stream, head) => {
    if (request.headers.upgrade?.toLowerCase() === "websocket") upgrades.take(request, stream, head);
    else ignoreUpgrade(server, request, stream, head);
  });
  return {
    url: `http://${rules.authority}/`,
    port,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      isClosing = true;
      server.close();
      // Closing order: end the streams of readers, let requests finish, then close idle connections.
      await Promise.all([hub[Symbol.asyncDispose](), upgrades[Symbol.asyncDispose]()]);
      using _cut = clock.schedule(CLOSE_PATIENCE_MS, () => server.closeAllConnections());
      server.closeIdleConnections();
      cutUnasked();
      await closed;
    },
  };
}

/**
 * Throws BOARD_ADDRESS_REFUSED for an address that is not loopback (S17), and for a name, because a name can be made to resolve to
 * another machine.
 */
function refuseOpenAddress(host: string): void {
  if (isIP(host) === 4 ? host.startsWith("127.") : host === "::1") return;
  throw new OperationalError<BoardErrorCode>({
    code: "BOARD_ADDRESS_REFUSED",
    message: `serve the board on ${host}: it is not a loopback address`,
    remedy:
      "Use --host 127.0.0.1 or ::1. To see it from another machine, forward the port there: ssh -L 7878:127.0.0.1:7878.",
  });
}

async function listen(server: Server, { host, port }: BoardOptions): Promise<{ host: string; port: number }> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    throw new OperationalError<BoardErrorCode>({
      code: isTaken ? "BOARD_PORT_TAKEN" : "BOARD_ADDRESS_REFUSED",
      message: `serve the board on ${host}, port ${port}: ${messageOf(error)}`,
      remedy: isTaken
        ? "Another program, possibly another board, uses the port: choose another with --port, or any free one with --port 0."
        : "Choose another address with --host or another port with --port.",
      cause: error,
    });
  }
  const address = server.address() as AddressInfo;
  return { host: address.family === "IPv6" ? `[${address.address}]` : address.address, port: address.port };
}
