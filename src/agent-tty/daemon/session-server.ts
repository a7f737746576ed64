import { chmod, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { type Home, PRIVATE_FILE_MODE } from "../home/index.ts";
import type { Session } from "../host/index.ts";
import { listenRpcSocket, rpcSocketPath } from "../protocol/index.ts";
import { answerCall } from "./answer-call.ts";
import { Client } from "./client.ts";

const MAX_CLIENTS = 256;
/** Clients that do not read their last answers are not waited for longer than this. */
const FAREWELL_MS = 1_000;

export interface SessionServer extends AsyncDisposable {
  /** Resolves when every call that clients have made has its answer. */
  answered(): Promise<void>;
}

/**
 * Takes calls for a Session of this process on the private socket in its directory: until it is disposed, `agent-tty` commands
 * of the same user drive that Session like any other. Disposing sends what is written, then closes; the Session stays.
 */
export async function serveSession({ clock }: Home, session: Session): Promise<SessionServer> {
  const clients = new Set<Client>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const client = new Client(socket, (call, signal) => answerCall(session, call, { clock, signal }));
    clients.add(client);
    socket.once("close", () => clients.delete(client));
  });
  server.maxConnections = MAX_CLIENTS;
  // Left over from a host that was killed: a Session has one host at a time.
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
