import { GRAPHQL, type Wire, type WireAnswer, type WireRequest } from "./wire.ts";
import { endlessListing, statusOf } from "./wire-errors.ts";

/** GitHub's maximum page size, and the maximum number of pages that a listing reads. */
export const PAGE_SIZE = 100;
const MAX_PAGES = 500;

/** A GET request, which may be repeated. `attempted`: a description of the request for error messages. */
export function getRequest(
  attempted: string,
  path: string,
  parameters: object,
  signal: AbortSignal,
): WireRequest {
  return { attempted, route: `GET ${path}`, parameters: { ...parameters }, signal, isRepeatable: true };
}

/** A GraphQL query, which changes nothing. The variables `owner` and `repo` also choose an App's installation. */
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

/** Reads all pages of a listing. `onMissing` is called for a redirect or a failed page and throws the matching error. */
export async function readPages<Value>(
  wire: Wire,
  request: WireRequest,
  itemsOf: (answer: WireAnswer) => Value[],
  onMissing: (status: number, error: unknown) => never,
  maxPages = MAX_PAGES,
): Promise<Value[]> {
  const found: Value[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const paged = { ...request, parameters: { ...request.parameters, per_page: PAGE_SIZE, page } };
    const answer = await wire.send(paged).catch((error: unknown) => onMissing(statusOf(error) ?? 0, error));
    if (answer.status !== 200) onMissing(answer.status, null);
    const items = itemsOf(answer);
    found.push(...items);
    // An unchanged full page may come from the cache, with headers from before the next page existed.
    const isFull = items.length >= PAGE_SIZE;
    if (!isFull && !/;\s*rel="next"/.test(String(answer.headers["link"] ?? ""))) return found;
  }
  throw endlessListing(request.attempted, maxPages);
}
