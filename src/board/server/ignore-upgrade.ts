import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** Headers that are about the wish, or about what becomes of the connection. */
const LEFT_OUT = new Set(["upgrade", "http2-settings", "connection"]);

/**
 * Answers a request as if it asked for no upgrade, which a server may do (RFC 9110, 7.8): `curl --http2` asks for `h2c` with
 * every request. Node stops parsing a connection at such a head, so the head without the wish is parsed again, before `rest`.
 * The connection ends with the answer: what was added to it for this request is not added again.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, stream: Duplex, rest: Buffer): void {
  const { method = "GET", url = "/", httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`, "Connection: close"];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!LEFT_OUT.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  stream.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), rest]));
  server.emit("connection", stream);
}
