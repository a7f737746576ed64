declare global {
  interface Window {
    /** The answers that the start script has requested, by path. */
    afkTriageEarly?: Map<string, Promise<Response>>;
  }
}

/**
 * The options of the page's requests to its server. They bypass the browser's cache, which may not keep the answers anyway and
 * would let only one of many tabs request an address at a time, each for up to 20 seconds.
 */
export const REQUEST = { credentials: "same-origin", cache: "no-store" } as const;

/**
 * Returns the answer that was requested before the page's main script ran. It is returned only once, because it would be out of
 * date later.
 */
export function takeEarly(path: string): Promise<Response> | undefined {
  const answer = window.afkTriageEarly?.get(path);
  window.afkTriageEarly?.delete(path);
  return answer;
}
