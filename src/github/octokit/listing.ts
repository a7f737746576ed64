import type { z } from "zod";
import { GRAPHQL, type Wire, type WireAnswer, type WireRequest } from "./wire.ts";
import { endlessListing, repositoryMoved, statusOf } from "./wire-errors.ts";

/** GitHub's maximum page size, and the maximum number of pages that a listing reads. */
export const PAGE_SIZE = 100;
const MAX_PAGES = 500;

/** Returns a GET request, which may be repeated. `attempted`: a description of the request for error messages. */
export function getRequest(
  attempted: string,
  path: string,
  parameters: object,
  signal: AbortSignal,
): WireRequest {
  return { attempted, route: `GET ${path}`, parameters: { ...parameters }, signal, isRepeatable: true };
}

/** Returns a GraphQL query, which changes nothing. The variables `owner` and `repo` also choose an App's installation. */
export function graphqlRequest(
  attempted: string,
  query: string,
  variables: Record<string, unknown>,
  signal: AbortSignal,
): WireRequest {
  const { owner, repo } = variables;
  const parameters = { query, variables, owner, repo };
  return { attempted, route: GRAPHQL, parameters, signal, isRepeatable: true };
}

/** Returns one document of a repository. Rejects with GITHUB_REPOSITORY_MISSING on a redirect. */
export async function readOne<Value>(
  wire: Wire,
  request: WireRequest,
  schema: z.ZodType<Value>,
): Promise<Value> {
  const answer = await wire.send(request);
  if (answer.status !== 200)
    throw repositoryMoved(request.attempted, String(answer.headers["location"] ?? ""));
  return wire.parse(request, answer, schema);
}

/**
 * Returns the items of all pages of a listing: GitHub's `Link` names the page after each one. `onMissing` is called for a redirect
 * or a failed page and throws the matching error.
 */
export async function readPages<Value>(
  wire: Wire,
  request: WireRequest,
  itemsOf: (answer: WireAnswer) => Value[],
  onMissing: (status: number, error: unknown) => never,
  maxPages = MAX_PAGES,
): Promise<Value[]> {
  const found: Value[] = [];
  let place: PagePlace | null = { page: 1 };
  for (let read = 1; read <= maxPages; read += 1) {
    const paged = { ...request, parameters: { ...request.parameters, per_page: PAGE_SIZE, ...place } };
    const answer = await wire.send(paged).catch((error: unknown) => onMissing(statusOf(error) ?? 0, error));
    if (answer.status !== 200) onMissing(answer.status, null);
    const items = itemsOf(answer);
    found.push(...items);
    place = nextPlace(String(answer.headers["link"] ?? ""), read + 1, items.length >= PAGE_SIZE);
    if (place === null) return found;
  }
  throw endlessListing(request.attempted, maxPages);
}

/** The place of a page. `after` is GitHub's cursor. Deep in a large listing GitHub refuses a page without it. */
type PagePlace = { page: number | string; after?: string };

/** From this page on, GitHub refuses the page number alone, at 100 items a page. */
const CURSOR_FROM_PAGE = 100;

/** Returns the place of the page after this one, which is the `page`-th; null: there is none. */
function nextPlace(link: string, page: number, isFull: boolean): PagePlace | null {
  const next = /<([^<>]*)>[^<>]*;\s*rel="next"/.exec(link)?.[1];
  // A full page may come from the cache, with headers from before the next page existed. Where GitHub requires a cursor, such a
  // page is the last one.
  if (next === undefined) return isFull && page < CURSOR_FROM_PAGE ? { page } : null;
  const query = new URLSearchParams(next.split("?")[1]);
  const after = query.get("after");
  return after === null ? { page } : { page: query.get("page") ?? page, after };
}
