import type { Clock } from "./clock.ts";
import { messageOf } from "./operational-error.ts";

/** One finished request or connection to another system. */
export interface Exchange {
  system: "github" | "coder";
  /** The request without its query: `GET /repos/o/r/issues/7`, or `coder ssh`. */
  operation: string;
  durationMs: number;
  /** The HTTP status, the exit code, or null if there was no response. */
  status: number | null;
  /** How it ended: `answered`, `exited`, or what was seen instead. */
  outcome: string;
}

/** Returns a `fetch` that reports every exchange when its response begins or when it fails, without headers, query or body. */
export function observedFetch(
  fetch: typeof globalThis.fetch,
  system: Exchange["system"],
  clock: Clock,
  onExchange: (exchange: Exchange) => void,
): typeof globalThis.fetch {
  return async (input, init) => {
    const startedMs = clock.monotonicMs();
    const url = new URL(input instanceof Request ? input.url : String(input));
    const operation = `${(init?.method ?? "GET").toUpperCase()} ${url.pathname}`;
    const tell = (status: number | null, outcome: string): void =>
      onExchange({
        system,
        operation,
        durationMs: Math.round(clock.monotonicMs() - startedMs),
        status,
        outcome,
      });
    try {
      const response = await fetch(input, init);
      tell(response.status, "answered");
      return response;
    } catch (error) {
      tell(null, messageOf(error));
      throw error;
    }
  };
}
