declare global {
  interface Window {
    /** Answers that the start script has asked for, by path. */
    afkTriageEarly?: Map<string, Promise<Response>>;
  }
}

/** Returns the answer that was asked for before the page's main script ran, once; later it would be out of date. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const answer = window.afkTriageEarly?.get(path);
  window.afkTriageEarly?.delete(path);
  return answer;
}
