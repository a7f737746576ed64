import { chmod, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { type Home, PRIVATE_FILE_MODE } from "../home/index.ts";
import type { Session } from "../host/index.ts";
import { listenRpcSocket, rpcSocketPath } from "../protocol/index.ts";
import { answerCall } from "./answer-call.ts";
import { Client } from "./client.ts";

const MAX_CLIENTS = 256;
/** How long to wait for clients that do not read their last answers. */
const FAREWELL_MS = 1_000;

export interface SessionServer extends AsyncDisposable {
  /** Resolves when every call that clients have made has been answered. */
  answered(): Promise<void>;
}

/**
 * Serves a Session of this process on the private socket in its directory. Until the server is disposed, `agent-tty` commands of
 * the same user can drive that Session like any other. Disposing sends the answers that are already written and closes the
 * connections; the Session keeps running.
 */
export async function serveSession({ clock }: Home, session: Session): Promise<SessionServer> {
  const clients = new Set<Client>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const client = new Client(socket, (call, signal) => answerCall(session, call, { clock, signal }));
    clients.add(client);
    socket.once("close", () => clients.delete(client));
  });
  server.maxConnections = MAX_CLIENTS;
  // A killed host leaves its socket behind. A Session has only one host at a time, so removing it is safe.
  await rm(rpcSocketPath(session.directory), { force: true });
  await listenRpcSocket(server, session.directory);
  await chmod(rpcSocketPath(session.directory), PRIVATE_FILE_MODE);
  return {
    answered: async () => {
      await Promise.all([...clients].map((client) => client.answered()));
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const client of clients) client.end();
      using _farewell = clock.schedule(FAREWELL_MS, () => {
        for (const client of clients) client.destroy();
      });
      await closed;
      await rm(rpcSocketPath(session.directory), { force: true });
    },
  };
}
