type Fetch = typeof globalThis.fetch;

interface Kept {
  etag: string;
  status: number;
  headers: [string, string][];
  body: string;
}

/** Enough for every page of a large batch; the least recently used goes first. */
const MAX_ENTRIES = 1_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * GETs become conditional: an answer with an ETag is kept in memory, the next request for it carries `If-None-Match`,
 * and a 304 (which costs no primary quota) is answered from memory. One credential per instance.
 */
export function createConditionalFetch(fetch: Fetch): Fetch {
  const kept = new Map<string, Kept>();
  let characters = 0;

  const forget = (url: string): void => {
    characters -= kept.get(url)?.body.length ?? 0;
    kept.delete(url);
  };
  const keep = (url: string, entry: Kept): void => {
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
    const known = kept.get(url);
    const headers = new Headers(init?.headers);
    if (known !== undefined) headers.set("if-none-match", known.etag);
    const response = await fetch(input, { ...init, headers });
    if (response.status === 304 && known !== undefined) {
      keep(url, known);
      return answer(known);
    }
    const etag = response.headers.get("etag");
    if (response.status !== 200 || etag === null) return response;
    const entry = { etag, status: 200, headers: [...response.headers], body: await response.text() };
    keep(url, entry);
    return answer(entry);
  };
}

function answer(entry: Kept): Response {
  return new Response(entry.body, { status: entry.status, headers: entry.headers });
}
