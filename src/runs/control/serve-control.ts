import { chmod, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { listenRpcSocket, rpcSocketPath } from "agent-tty";
import { type Clock, messageOf } from "agent-tty/kit";
import type { ControlPorts } from "./answer-control.ts";
import { ControlClient } from "./control-client.ts";
import { makeControlDirectory } from "./control-directory.ts";
import { controlUnavailable } from "./control-error.ts";

const MAX_CLIENTS = 64;
/**
 * The longest wait, in milliseconds, for clients that do not read their last update or observe a run that does not
 * end.
 */
const FAREWELL_MS = 1_000;

/**
 * Accepts calls for the runs of this parent on a private socket. Disposing answers every call, then closes the socket
 * and removes the directory. Rejects with CONTROL_UNAVAILABLE.
 */
export async function serveControl(
  directory: string,
  ports: ControlPorts & { clock: Clock },
): Promise<AsyncDisposable> {
  await makeControlDirectory(directory);
  const clients = new Set<ControlClient>();
  const server = createServer((socket) => {
    const client = new ControlClient(socket, ports);
    clients.add(client);
    socket.once("close", () => clients.delete(client));
  });
  server.maxConnections = MAX_CLIENTS;
  try {
    await listenRpcSocket(server, directory);
    await chmod(rpcSocketPath(directory), 0o600);
  } catch (error) {
    server.close();
    throw controlUnavailable(directory, messageOf(error));
  }
  // An idle socket must not keep the parent alive.
  server.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const client of clients) void client.end();
      using _farewell = ports.clock.schedule(FAREWELL_MS, () => {
        for (const client of clients) client.destroy();
      });
      await closed;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
