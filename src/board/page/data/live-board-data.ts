import type { PageClock } from "../browser/index.ts";
import type { BoardData, RunPage } from "./board-data.ts";
import { request, requestExact, requestText } from "./request.ts";
import type { RunFilters } from "../selection/index.ts";
import { SharedChanges } from "./shared-changes.ts";
import { watchTerminal } from "./watch-terminal.ts";

/** The maximum number of characters in a search that the server accepts. */
const MAX_SEARCH = 200;

/** Returns the data of the board's server, at the page's own origin. */
export function liveBoardData(clock: PageClock): BoardData {
  const changes = new SharedChanges(clock);
  return {
    source: "live",
    allowsControl: async (signal) =>
      (await request<{ allowsControl: boolean }>("/api/health", { signal })).allowsControl,
    batches: (after, signal) => request(`/api/batches${queryOf({ after })}`, { signal }),
    batch: (runId, signal) => request(`/api/batches/${encodeURIComponent(runId)}`, { signal }),
    timeline: (runId, signal) => request(`/api/batches/${encodeURIComponent(runId)}/timeline`, { signal }),
    runs: (filters, page, signal) => request(`/api/runs${runQuery(filters, page)}`, { signal }),
    totals: ({ batch, onlyRecent }, signal) =>
      request(`/api/totals${queryOf({ batch, recent: onlyRecent ? "true" : null })}`, { signal }),
    run: (id, signal) => request(runPath(id), { signal }),
    issue: (id, signal) => request(`${runPath(id)}/issue`, { signal }),
    state: (id, signal) => requestExact(`${runPath(id)}/state`, { signal }),
    states: (id, terminal, signal) => request(`${runPath(id)}/states?terminal=${terminal}`, { signal }),
    recording: (id, terminal, atMs, signal) =>
      request(
        `${runPath(id)}/recording${queryOf({ terminal, at: atMs === null ? null : String(Math.floor(atMs)) })}`,
        { signal },
      ),
    searchRecording: (id, terminal, { text, afterSeq }, signal) =>
      request(`${runPath(id)}/recording/search${queryOf({ terminal, q: text, after: String(afterSeq) })}`, {
        signal,
      }),
    statistics: (days, signal) => request(`/api/statistics?days=${days}`, { signal }),
    duplicates: (signal) => request("/api/duplicates", { signal }),
    trust: (repo, signal) => request(`/api/trust${queryOf({ repo })}`, { signal }),
    artifactUrl: (id, kind) => `${runPath(id)}/artifacts/${kind}`,
    artifactText: (id, kind, signal) => requestText(`${runPath(id)}/artifacts/${kind}`, { signal }),
    follow: (afterSeq, follower) => changes.follow(afterSeq, follower),
    watchTerminal: (watched, follower) => watchTerminal(clock, watched, follower),
    answerDialog: (id, answer) => command(`${runPath(id)}/answer`, answer),
    send: (id, text) => command(`${runPath(id)}/input`, { text }),
    stop: (id) => command(`${runPath(id)}/stop`, {}),
    kill: (id) => command(`${runPath(id)}/kill`, {}),
    startFollowUp: (id, asked) => command(`${runPath(id)}/${asked === "run" ? "rerun" : "verify"}`, {}),
    followUps: (id, signal) => request(`${runPath(id)}/follow-ups`, { signal }),
  };
}

function runQuery(filters: RunFilters, { after, limit }: RunPage): string {
  const { batch, onlyRecent, repo, status, result, onlyLive, text, sort, isDescending } = filters;
  return queryOf({
    batch,
    recent: onlyRecent ? "true" : null,
    repo,
    status,
    result,
    live: onlyLive ? "true" : null,
    q: text.slice(0, MAX_SEARCH),
    sort,
    order: isDescending ? "descending" : "ascending",
    limit: String(limit),
    after,
  });
}

/** Returns the query string without absent values. */
function queryOf(values: Record<string, string | null>): string {
  const present = Object.entries(values).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== "",
  );
  return present.length === 0 ? "" : `?${new URLSearchParams(present).toString()}`;
}

function runPath(id: string): string {
  return `/api/runs/${encodeURIComponent(id)}`;
}

function command<Document>(path: string, body: object): Promise<Document> {
  const headers = { "Content-Type": "application/json" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) });
}
