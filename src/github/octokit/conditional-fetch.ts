type Fetch = typeof globalThis.fetch;

export interface KeptResponse {
  etag: string;
  status: number;
  headers: readonly (readonly [string, string])[];
  body: string;
}

/** A store for responses that outlive the process. Neither call rejects: a response that is not stored is requested again. */
export interface ResponseStore {
  load(url: string): Promise<KeptResponse | null>;
  save(url: string, kept: KeptResponse): Promise<void>;
}

/**
 * The maximum number of kept responses, enough for every page of a large batch. The least recently used response is removed
 * first.
 */
const MAX_ENTRIES = 1_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** The response headers that are kept, because readers of a kept response use them. Cookies and rate limits are not kept. */
const KEPT_HEADERS = ["content-type", "etag", "link"];

/**
 * Returns a fetch that makes GETs conditional: a response with an ETag is kept in memory and in the store, the next request for
 * its URL sends `If-None-Match`, and a 304 (which costs no primary quota) is answered with the kept response. A response that one
 * credential received is used for another credential only after GitHub has answered 304 to that other credential.
 */
export function createConditionalFetch(fetch: Fetch, store: ResponseStore | null): Fetch {
  const kept = new Map<string, KeptResponse>();
  let characters = 0;

  const forget = (url: string): void => {
    characters -= kept.get(url)?.body.length ?? 0;
    kept.delete(url);
  };
  const keep = (url: string, entry: KeptResponse): void => {
    forget(url);
    kept.set(url, entry);
    characters += entry.body.length;
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_ENTRIES && characters <= MAX_CHARACTERS) break;
      forget(oldest);
    }
  };

  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if ((init?.method ?? "GET").toUpperCase() !== "GET") return fetch(input, init);
    const known = kept.get(url) ?? (await store?.load(url)) ?? null;
    const headers = new Headers(init?.headers);
    if (known !== null) headers.set("if-none-match", known.etag);
    const response = await fetch(input, { ...init, headers });
    if (response.status === 304 && known !== null) {
      keep(url, known);
      return answer(known);
    }
    const etag = response.headers.get("etag");
    if (response.status !== 200 || etag === null) return response;
    const entry = { etag, status: 200, headers: keptHeaders(response), body: await response.text() };
    keep(url, entry);
    await store?.save(url, entry);
    return answer(entry);
  };
}

function keptHeaders(response: Response): [string, string][] {
  return KEPT_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}

function answer(entry: KeptResponse): Response {
  return new Response(entry.body, { status: entry.status, headers: entry.headers.map(([n, v]) => [n, v]) });
}
