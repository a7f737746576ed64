import { noFilters, type RunFilters, sortKeys } from "./filters.ts";

/** Returns the filters of a query string. */
export function filtersOfQuery(query: string): RunFilters {
  const values = new URLSearchParams(query);
  const sort = sortKeys.find((key) => key === values.get("sort"));
  const order = values.get("order");
  return {
    batch: values.get("batch"),
    onlyRecent: values.get("recent") === "1",
    text: values.get("q") ?? "",
    repo: values.get("repo"),
    status: values.get("status"),
    result: values.get("outcome"),
    onlyLive: values.get("live") === "1",
    sort: sort ?? noFilters.sort,
    isDescending: order === null ? noFilters.isDescending : order === "descending",
  };
}

/** Returns the query string of filters, without filters that have their default value. */
export function queryOfFilters(filters: RunFilters): string {
  const values = new URLSearchParams();
  const put = (name: string, value: string | null): void => {
    if (value !== null && value !== "") values.set(name, value);
  };
  put("batch", filters.batch);
  put("recent", filters.onlyRecent ? "1" : null);
  put("q", filters.text);
  put("repo", filters.repo);
  put("status", filters.status);
  put("outcome", filters.result);
  put("live", filters.onlyLive ? "1" : null);
  if (filters.sort !== noFilters.sort || filters.isDescending !== noFilters.isDescending) {
    put("sort", filters.sort);
    put("order", filters.isDescending ? "descending" : "ascending");
  }
  return values.toString();
}
