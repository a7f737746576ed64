import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { noFilters, type RunFilters } from "./filters.ts";
import { filtersOfQuery, queryOfFilters } from "./filter-query.ts";

export const runTabs = [
  "terminal",
  "outcome",
  "reproduction",
  "comment",
  "audit",
  "pull-requests",
  "artifacts",
] as const;
export type RunTab = (typeof runTabs)[number];

/** What the page shows, as its address says after `#`: so that it works from a file, and can be sent to a colleague. */
export type Route =
  | { view: "overview"; filters: RunFilters }
  | { view: "run"; id: string; tab: RunTab }
  | { view: "plots" };

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view, id, tab] = path.split("/");
  if (view === "plots") return { view };
  if (view !== "runs" || id === undefined || id === "")
    return { view: "overview", filters: filtersOfQuery(query) };
  const known = runTabs.find((name) => name === tab);
  return { view: "run", id: decoded(id), tab: known ?? "terminal" };
}

export function routeHash(route: Route): string {
  switch (route.view) {
    case "overview": {
      const query = queryOfFilters(route.filters);
      return query === "" ? "#/" : `#/?${query}`;
    }
    case "run": {
      const tab = route.tab === "terminal" ? "" : `/${route.tab}`;
      return `#/runs/${encodeURIComponent(route.id)}${tab}`;
    }
    case "plots":
      return "#/plots";
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const current = signal(parseRoute(window.location.hash));
window.addEventListener("hashchange", () => void (current.value = parseRoute(window.location.hash)));

export const route: ReadonlySignal<Route> = current;

export function goTo(next: Route): void {
  window.location.hash = routeHash(next);
}

let lastOverview: Route = { view: "overview", filters: noFilters };

/** To the runs as they were filtered; not the browser's back, which may leave the board. */
export function goToOverview(): void {
  goTo(lastOverview);
}

effect(() => {
  if (current.value.view === "overview") lastOverview = current.value;
});

/** Filters change with every key: no step back for each. */
export function replaceRoute(next: Route): void {
  window.history.replaceState(null, "", routeHash(next));
  current.value = next;
}
