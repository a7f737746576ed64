import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Connections on which nothing was asked yet: browsers open some ahead. Node counts them as busy, so that a server which
 * closes would wait for them. Gives what cuts them off.
 */
export function unaskedConnections(server: Server): () => void {
  const unasked = new Set<Duplex>();
  const asks = ({ socket }: IncomingMessage): void => void unasked.delete(socket);
  server.on("connection", (socket) => {
    unasked.add(socket);
    socket.once("close", () => unasked.delete(socket));
  });
  server.on("request", asks);
  server.on("upgrade", asks);
  return () => {
    for (const socket of unasked) socket.destroy();
  };
}
