import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Tracks connections without a request yet: browsers open some in advance, and Node counts them as busy, so a closing
 * server would wait for them. Returns a function that closes them.
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
