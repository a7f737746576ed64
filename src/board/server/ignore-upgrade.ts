import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** Headers that request the upgrade or control the connection. */
const LEFT_OUT = new Set(["upgrade", "http2-settings", "connection"]);

/**
 * Answers a request as if it did not ask for an upgrade, which a server may do (RFC 9110, 7.8): `curl --http2` asks for `h2c`
 * with every request. Node stops parsing a connection at the head of such a request, so a head without these headers is put back
 * before `rest` and parsed again. The connection closes after the answer, so its listeners are added twice at most.
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
