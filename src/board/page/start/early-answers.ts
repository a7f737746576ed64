declare global {
  interface Window {
    /** Answers that the start script has asked for, by path. */
    afkTriageEarly?: Map<string, Promise<Response>>;
  }
}

/**
 * How the page asks its server. Past the browser's cache, which may not keep the answers anyway: it would let only one of many
 * tabs ask for an address at a time, each for up to 20 seconds.
 */
export const REQUEST = { credentials: "same-origin", cache: "no-store" } as const;

/** Returns the answer that was asked for before the page's main script ran, once; later it would be out of date. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const answer = window.afkTriageEarly?.get(path);
  window.afkTriageEarly?.delete(path);
  return answer;
}
