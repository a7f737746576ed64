import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { filtersOfQuery, noFilters, queryOfFilters, type RunFilters } from "../selection/index.ts";

export const runTabs = [
  "terminal",
  "issue",
  "outcome",
  "reproduction",
  "comment",
  "audit",
  "pull-requests",
  "artifacts",
] as const;
export type RunTab = (typeof runTabs)[number];

/** The view that the page's address selects after `#`, so that it works from a file and can be shared. */
export type Route =
  | { view: "overview"; filters: RunFilters }
  /** `tMs`: a time in the recording, in milliseconds since its start. */
  | { view: "run"; id: string; tab: RunTab; tMs?: number }
  /** `other`: the batch to compare with. */
  | { view: "batch"; runId: string; other: string | null }
  | { view: "plots" }
  | { view: "duplicates" }
  /** `repo` null: all repositories. */
  | { view: "trust"; repo: string | null };

/** Returns the view that the part of the address after `#` selects. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view, id, tab] = path.split("/");
  if (view === "plots" || view === "duplicates") return { view };
  if (view === "trust") return { view, repo: new URLSearchParams(query).get("repo") };
  if (view === "batches" && id !== undefined && id !== "")
    return { view: "batch", runId: decoded(id), other: new URLSearchParams(query).get("with") };
  if (view !== "runs" || id === undefined || id === "")
    return { view: "overview", filters: filtersOfQuery(query) };
  const known = runTabs.find((name) => name === tab);
  const moment = /^\d{1,12}$/.exec(new URLSearchParams(query).get("t") ?? "")?.[0];
  return {
    view: "run",
    id: decoded(id),
    tab: known ?? "terminal",
    ...(moment === undefined ? {} : { tMs: Number(moment) }),
  };
}

/** Returns the part of the address after `#`. */
export function routeHash(route: Route): string {
  switch (route.view) {
    case "overview": {
      const query = queryOfFilters(route.filters);
      return query === "" ? "#/" : `#/?${query}`;
    }
    case "run": {
      const tab = route.tab === "terminal" ? "" : `/${route.tab}`;
      const moment = route.tMs === undefined ? "" : `?t=${Math.ceil(route.tMs)}`;
      return `#/runs/${encodeURIComponent(route.id)}${tab}${moment}`;
    }
    case "batch":
      return `#/batches/${encodeURIComponent(route.runId)}${route.other === null ? "" : `?with=${encodeURIComponent(route.other)}`}`;
    case "trust":
      return `#/trust${route.repo === null ? "" : `?repo=${encodeURIComponent(route.repo)}`}`;
    case "plots":
    case "duplicates":
      return `#/${route.view}`;
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
let isNavigated = false;
window.addEventListener("hashchange", () => {
  isNavigated = true;
  current.value = parseRoute(window.location.hash);
});

/** Returns whether the reader came to the present view from another view, which had the focus. */
export function wasNavigated(): boolean {
  return isNavigated;
}

export const route: ReadonlySignal<Route> = current;

/** Goes to another view and adds a history entry. */
export function goTo(next: Route): void {
  window.location.hash = routeHash(next);
}

let lastOverview: Route = { view: "overview", filters: noFilters };

/** Goes to the overview with the last filters. The browser's back button may leave the board instead. */
export function goToOverview(): void {
  goTo(lastOverview);
}

effect(() => {
  if (current.value.view === "overview") lastOverview = current.value;
});

/** Replaces the address without a history entry, because filters change with every key press. */
export function replaceRoute(next: Route): void {
  window.history.replaceState(null, "", routeHash(next));
  current.value = next;
}
