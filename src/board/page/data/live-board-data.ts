import type { PageClock } from "../browser/index.ts";
import type { BoardData } from "./board-data.ts";
import { followChanges } from "./follow-changes.ts";
import { request } from "./request.ts";
import { watchTerminal } from "./watch-terminal.ts";

/** The largest number of rows that the page lists; the newest ones. */
const RUN_LIMIT = 1_000;

/** Returns the data of the board's server, at the page's own origin. */
export function liveBoardData(clock: PageClock): BoardData {
  return {
    source: "live",
    allowsControl: async (signal) =>
      (await request<{ allowsControl: boolean }>("/api/health", { signal })).allowsControl,
    batches: (signal) => request("/api/batches", { signal }),
    runs: (signal) => request(`/api/runs?limit=${RUN_LIMIT}`, { signal }),
    run: (id, signal) => request(runPath(id), { signal }),
    state: (id, signal) => request(`${runPath(id)}/state`, { signal }),
    states: (id, terminal, signal) => request(`${runPath(id)}/states?terminal=${terminal}`, { signal }),
    recording: (id, terminal, signal) => request(`${runPath(id)}/recording?terminal=${terminal}`, { signal }),
    statistics: (days, signal) => request(`/api/statistics?days=${days}`, { signal }),
    duplicates: (signal) => request("/api/duplicates", { signal }),
    artifactUrl: (id, kind) => `${runPath(id)}/artifacts/${kind}`,
    follow: (afterSeq, follower) => followChanges(clock, afterSeq, follower),
    watchTerminal: (id, terminal, follower) => watchTerminal(clock, { id, terminal }, follower),
    send: (id, text) => command(`${runPath(id)}/input`, { text }),
    stop: (id) => command(`${runPath(id)}/stop`, {}),
    kill: (id) => command(`${runPath(id)}/kill`, {}),
  };
}

function runPath(id: string): string {
  return `/api/runs/${encodeURIComponent(id)}`;
}

function command<Document>(path: string, body: object): Promise<Document> {
  const headers = { "Content-Type": "application/json" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) });
}
