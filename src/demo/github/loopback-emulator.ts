import { once } from "node:events";
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { messageOf, OperationalError } from "agent-tty/kit";
import type { Emulator, SeedConfig } from "emulate";
import type { DemoErrorCode } from "../demo-error.ts";
import { loadEmulator } from "./load-emulator.ts";
import { listWithPullRequests } from "./pull-request-listing.ts";

export interface LoopbackEmulator extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  url: string;
}

export interface LoopbackEmulatorRequest {
  seed: SeedConfig;
  /** A short unique name, for the private socket. */
  name: string;
  /** The directory of the private socket on systems without abstract sockets. */
  directory: string;
}

/**
 * Starts the emulator of GitHub, which is reachable only on a free loopback port.
 *
 * By default the package listens on every interface of the machine, on a port chosen beforehand, so that anybody in the network
 * could file an issue whose reproduction is then run here. Therefore it listens on a private socket, and a server of ours on
 * 127.0.0.1 forwards the requests.
 */
export async function startLoopbackEmulator(request: LoopbackEmulatorRequest): Promise<LoopbackEmulator> {
  const socketPath =
    process.platform === "linux"
      ? `\0afk-triage-demo-${request.name}`
      : join(request.directory, "github.sock");
  const { createEmulator } = await loadEmulator();
  let emulator: Emulator | null = null;
  const front = createServer((incoming, outgoing) => {
    void forward(socketPath, incoming, outgoing);
  });
  try {
    front.listen(0, "127.0.0.1");
    await once(front, "listening");
    const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    emulator = await createEmulator({
      service: "github",
      // net.Server.listen accepts a path as well as a port, but the package's type allows only numbers.
      port: socketPath as unknown as number,
      baseUrl: url,
      seed: request.seed,
    });
    return { url, [Symbol.asyncDispose]: () => close(front, emulator) };
  } catch (error) {
    await close(front, emulator);
    throw new OperationalError<DemoErrorCode>({
      code: "DEMO_GITHUB_FAILED",
      message: `starting the demo's emulated GitHub on 127.0.0.1 failed: ${messageOf(error)}`,
      remedy:
        "Check that this machine allows listening on the loopback interface, then start the demo again.",
      cause: error,
    });
  }
}

async function close(front: ReturnType<typeof createServer>, emulator: Emulator | null): Promise<void> {
  front.closeAllConnections();
  await Promise.all([
    new Promise<void>((resolve) => {
      front.close(() => resolve());
    }),
    emulator?.close(),
  ]);
}

async function forward(
  socketPath: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    if (incoming.method === "GET" && /^\/repos\/[^/]+\/[^/]+\/issues(\?|$)/.test(incoming.url ?? "")) {
      await listWithPullRequests(socketPath, incoming, outgoing);
      return;
    }
    const upstream = httpRequest({
      socketPath,
      agent: false,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    });
    // The code below handles an error as a missing response or a broken pipeline. Without this listener an error would crash the
    // demo.
    upstream.on("error", () => undefined);
    outgoing.once("close", () => upstream.destroy());
    incoming.pipe(upstream);
    const [answer] = (await once(upstream, "response")) as [IncomingMessage];
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, outgoing);
  } catch (error) {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end(messageOf(error));
  }
}
