import {
  boardRunId,
  type BoardSource,
  type RunDocument,
  type RunRowDocument,
  type SequencedChange,
  type TerminalFrame,
} from "../../src/board/index.ts";
import { noTrust } from "../support/board/demo-trust.ts";

export const RUN_KEY = { runId: "20260101T000000Z", repo: "o/r", number: 7 };
export const RUN_ID = boardRunId(RUN_KEY);

export function runRow(number = 7, change: Partial<RunRowDocument> = {}): RunRowDocument {
  const key = { ...RUN_KEY, number };
  return {
    id: boardRunId(key),
    ...key,
    title: "first([]) throws",
    issueUrl: `https://github.test/o/r/issues/${number}`,
    displayStatus: "working",
    indicator: { symbol: "🟢", name: "running", isPulsing: false },
    phase: "triaging",
    surface: "working",
    startedAtMs: 1_000,
    settledAtMs: null,
    parentLost: null,
    end: null,
    policy: [],
    category: null,
    usage: null,
    evidence: null,
    pullRequest: null,
    ...change,
  };
}

const runDocument: RunDocument = {
  schema: "afk-triage/board-run@1",
  run: runRow(),
  history: [{ phase: "selected", atMs: 1_000 }],
  timings: null,
  coderWorkspace: { state: "ready", name: "r-triage-7" },
  terminals: [{ name: "triage-agent", sessionId: "01J9Z6Q0W3N5Y8T4B2C7D1E6FG", isLive: true }],
  outcome: null,
  policy: [],
  verification: null,
  checks: [],
  comment: null,
  audit: { entries: [], problem: null },
  pullRequests: [],
  nudges: [],
  artifacts: [{ kind: "comment", sizeBytes: 5, mediaType: "text/plain; charset=utf-8" }],
};

/** An in-memory board source with one run, a change log to which a test can append, and a terminal with given frames. */
export interface FakeSource extends BoardSource {
  /** Appends a change to the log. */
  change(run: RunRowDocument): void;
  log: SequencedChange[];
  live: RunRowDocument[];
  /** The present number of followers of the log, and the total so far. */
  followers: number;
  followed: number;
  asked: string[];
  /** Returns the frames of `terminal`. */
  frames: () => AsyncIterable<TerminalFrame>;
}

export function fakeSource(): FakeSource {
  let wake = (): void => undefined;
  let news = new Promise<void>((resolve) => (wake = resolve));
  const isMine = (key: { number: number }): boolean => key.number === RUN_KEY.number;
  const source: FakeSource = {
    log: [],
    live: [],
    followers: 0,
    followed: 0,
    asked: [],
    frames: async function* () {
      yield { type: "reset", seq: 1, t: 0, cols: 80, rows: 24, paint: "" };
      yield { type: "output", seq: 2, t: 5, data: Buffer.from("hello").toString("base64") };
      yield { type: "exit", seq: 3, t: 9, exitCode: 0 };
    },
    change: (run) => {
      source.log.push({ seq: (source.log.at(-1)?.seq ?? 0) + 1, event: { type: "run", run } });
      wake();
      news = new Promise((resolve) => (wake = resolve));
    },
    batches: async () => ({ batches: [batch], damaged: [], next: null }),
    unfinishedBatches: async () => [],
    batch: async (runId) => (runId === RUN_KEY.runId ? batch : null),
    runs: async ({ isLiveOnly }) => {
      const runs = isLiveOnly ? source.live : [runRow()];
      return { runs, damaged: [], next: null, total: runs.length };
    },
    totals: async () => ({
      schema: "afk-triage/board-totals@1",
      runs: 1,
      live: 1,
      waiting: 0,
      parentLost: 0,
      results: {},
      usd: null,
      usdRuns: 0,
      batches: 1,
      repos: ["o/r"],
    }),
    run: async (key) => (isMine(key) ? runDocument : null),
    issue: async (key) => (isMine(key) ? { schema: "afk-triage/board-issue@1", issue: null } : null),
    artifact: async (key, kind) =>
      isMine(key) && kind === "comment"
        ? {
            sizeBytes: 5,
            mediaType: "text/plain; charset=utf-8",
            fileName: 'com"ment\r\n.md',
            bytes: (async function* () {
              yield Buffer.from("hello");
            })(),
            [Symbol.asyncDispose]: async () => void source.asked.push("closed"),
          }
        : null,
    state: async (key) => (isMine(key) ? { type: "none", reason: "no terminal" } : null),
    states: async (key) =>
      isMine(key) ? { schema: "afk-triage/board-states@1", states: [], isTruncated: false } : null,
    recording: async (key) =>
      isMine(key)
        ? {
            schema: "afk-triage/board-recording@1",
            sessionId: "01J9Z6Q0W3N5Y8T4B2C7D1E6FG",
            startedAtMs: 1,
            durationMs: 9,
            isTruncated: false,
            window: { startMs: 0, endMs: 9, isEnd: true },
            frames: [{ type: "reset", seq: 1, t: 0, cols: 80, rows: 24, paint: "" }],
          }
        : null,
    searchRecording: async (key) =>
      isMine(key)
        ? { schema: "afk-triage/board-recording-search@1", hits: [], searchedMs: 9, nextSeq: null }
        : null,
    terminal: async (key, name, { afterSeq }) => {
      source.asked.push(`terminal ${name} ${afterSeq}`);
      return isMine(key) ? source.frames() : null;
    },
    timeline: async () => ({
      schema: "afk-triage/board-batch-timeline@1",
      runs: [{ run: runRow(), history: [{ phase: "selected", atMs: 1_000 }] }],
      isTruncated: false,
    }),
    statistics: async (days) => ({
      schema: "afk-triage/board-statistics@1",
      days,
      outcomes: [],
      phases: [],
      costs: [],
      queueAges: [],
    }),
    duplicates: async () => ({ schema: "afk-triage/board-duplicates@1", clusters: [] }),
    trust: async (repo) => ({ ...noTrust, repo }),
    lastChange: async () => source.log.at(-1)?.seq ?? 0,
    changes: async function* (cursor, signal) {
      source.followers += 1;
      source.followed += 1;
      try {
        let at = cursor;
        while (!signal.aborted) {
          const next = source.log.find(({ seq }) => seq > at);
          if (next === undefined) {
            const aborted = new Promise<void>((resolve) =>
              signal.addEventListener("abort", () => resolve(), { once: true }),
            );
            await Promise.race([news, aborted]);
            continue;
          }
          at = next.seq;
          yield next;
        }
      } finally {
        source.followers -= 1;
      }
    },
    send: async (key, text) => {
      source.asked.push(`send ${text}`);
      return isMine(key)
        ? { type: "refused", reason: "input-not-accepted", remedy: "answer the dialog" }
        : null;
    },
    answerDialog: async (key, { choice }) => {
      source.asked.push(`answer ${choice}`);
      return isMine(key)
        ? { type: "refused", reason: "screen-changed", remedy: "look at what the terminal asks now" }
        : null;
    },
    stop: async (key, how) => {
      source.asked.push(how);
      return isMine(key) ? { type: "stopping" } : null;
    },
    startFollowUp: async (key, command) => {
      source.asked.push(command);
      return isMine(key) ? { type: "started" } : null;
    },
    followUps: async (key) => (isMine(key) ? [] : null),
  };
  return source;
}

const batch = {
  runId: RUN_KEY.runId,
  repos: ["o/r"],
  provider: "local",
  parent: { name: "host/1/1", state: "alive" as const },
  startedAtMs: 1_000,
  finishedAtMs: null,
  totals: { live: 1, applied: 0, skipped: 0, locked: 0, requeued: 0, failed: 0 },
  usd: null,
  stranded: [],
  kept: [],
};
