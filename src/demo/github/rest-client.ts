import { OperationalError } from "agent-tty/kit";
import type { DemoErrorCode } from "../demo-error.ts";

/** Sends one user's requests to the demo's emulated GitHub. */
export interface RestClient {
  get(path: string, signal: AbortSignal): Promise<unknown>;
  post(path: string, body: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
}

/** Returns a client of the emulated GitHub's REST API that signs in with a token. */
export function restClient(apiUrl: string, token: string): RestClient {
  const send = async (
    method: string,
    path: string,
    body: Record<string, unknown> | null,
    signal: AbortSignal,
  ) => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body === null ? null : JSON.stringify(body),
      signal,
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as unknown;
    throw new OperationalError<DemoErrorCode>({
      code: "DEMO_GITHUB_FAILED",
      message: `${method} ${path} on the demo's emulated GitHub answered ${response.status}: ${text.slice(0, 200)}`,
      remedy: "Start the demo again; if it happens again, report it with this message.",
    });
  };
  return {
    get: (path, signal) => send("GET", path, null, signal),
    post: (path, body, signal) => send("POST", path, body, signal),
  };
}
