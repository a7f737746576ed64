import type { IncomingMessage } from "node:http";
import type { RequestFacts } from "./access.ts";

/**
 * Returns the facts of a request. `path` is the path as the router parsed it: if two parsers read an address differently, a
 * request could be admitted as one path and answered as another.
 */
export function factsOfRequest({ method, headers }: Request, path: string): RequestFacts {
  return facts(method, path, (name) => headers.get(name), false);
}

/** Returns the facts of a request before it becomes a WebSocket. */
export function factsOfUpgrade({ method, headers }: IncomingMessage, path: string): RequestFacts {
  const header = (name: string): string | null => {
    const value = headers[name];
    return typeof value === "string" ? value : null;
  };
  return facts(method ?? "GET", path, header, true);
}

function facts(
  method: string,
  path: string,
  header: (name: string) => string | null,
  isUpgrade: boolean,
): RequestFacts {
  return {
    method,
    path,
    isUpgrade,
    host: header("host"),
    origin: header("origin"),
    fetchSite: header("sec-fetch-site"),
    authorization: header("authorization"),
    cookie: header("cookie"),
  };
}
