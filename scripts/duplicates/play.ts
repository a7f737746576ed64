import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { type IssueText, openIssueIndex } from "../../src/duplicates/index.ts";
import type { TrackerData } from "./project.ts";

/** The index's candidates for one query, best first. */
export interface Prediction {
  query: string;
  results: string[];
}

export interface Played {
  predictions: Prediction[];
  /** The duration of each search, in milliseconds. */
  queryMs: number[];
}

/** The number of issues indexed in one transaction between two queries. */
const BATCH = 500;

/** Plays a tracker in order of arrival: each query sees only the issues before it. */
export async function playTracker({ docs, queries }: TrackerData, limit: number): Promise<Played> {
  const home = mkdtempSync(join(tmpdir(), "afk-duplicates-"));
  const index = await openIssueIndex(join(home, "index.sqlite"), systemClock);
  try {
    const asked = new Set(queries.map(({ id }) => id));
    const played: Played = { predictions: [], queryMs: [] };
    let waiting: IssueText[] = [];
    for (const [at, doc] of docs.entries()) {
      const issue: IssueText = {
        number: at + 1,
        title: doc.title,
        body: doc.body ?? "",
        createdMs: Date.parse(doc.created),
        state: "open",
        reporter: null,
      };
      if (asked.has(doc.id) || waiting.length >= BATCH) {
        index.put(waiting);
        waiting = [];
      }
      if (asked.has(doc.id)) {
        const startedMs = systemClock.monotonicMs();
        const found = index.similar(issue, limit);
        played.queryMs.push(systemClock.monotonicMs() - startedMs);
        const results = found.map(({ number }) => docs[number - 1]?.id ?? "");
        played.predictions.push({ query: doc.id, results });
      }
      waiting.push(issue);
    }
    return played;
  } finally {
    index.close();
    rmSync(home, { recursive: true, force: true });
  }
}
