/**
 * Usage: `npm run bench:board`. Measures the board's API over a home of 200,000 Triage Runs in 5,000 Triage Batches (B2). The CPU
 * time is that of this process, server and client together. `npm run bench:board -- 100` uses 100 batches (3 to 100,000). Then it
 * measures the page in Chromium with a long recording (B5) and the weight of that view (B12): `--recording 1G` uses a recording
 * of 1 GiB; the default is 64M.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fillStore } from "./bench/board/fill-store.ts";
import { recordingRows } from "./bench/board/recording/recording-rows.ts";
import { serveBenchHome } from "./bench/board/serve-bench-home.ts";
import { measureRequests } from "./bench/board/measure-requests.ts";
import { type BenchRow, judged, milliseconds, tableText } from "./bench/row.ts";
import { refuseArguments, scriptArguments } from "./script-arguments.ts";

const RUNS_PER_BATCH = 40;
/** The page size of `GET /api/runs`. */
const RUNS_PER_PAGE = 100;
const MAX_BATCHES = 100_000;
const P95_MS = 50;
const CPU_MS = 20;
const TOKEN = "0".repeat(64);
const { values, positionals } = scriptArguments(import.meta.url, {
  options: { recording: { type: "string", default: "64M" } },
  allowPositionals: true,
});
const batches = batchesOf(positionals[0] ?? "5000");
const recordingBytes = bytesOf(values.recording);
const runs = batches * RUNS_PER_BATCH;

const home = await mkdtemp(join(tmpdir(), "bench-board-"));
try {
  await fillStore(join(home, "store.sqlite"), { batches, runsPerBatch: RUNS_PER_BATCH });
  await using board = await serveBenchHome(home, home, TOKEN);
  const get = async (path: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(new URL(path, board.url), { headers: { Authorization: `Bearer ${TOKEN}` } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  await checkTotals(get);
  const { next } = await get("/api/runs");
  const requests: readonly (readonly [string, string])[] = [
    ["first page", "/api/runs"],
    ["next page", `/api/runs?after=${String(next)}`],
    ["of a repository", "/api/runs?repo=o/r7"],
    ["of an outcome", "/api/runs?result=wontfix"],
    ["by cost", "/api/runs?sort=cost"],
    ["ended", "/api/runs?status=terminated"],
    ["search, one match", `/api/runs?q=${runs - 7}`],
    ["search, every run matches", "/api/runs?q=title"],
    ["totals", "/api/totals"],
    ["totals of the last day", "/api/totals?recent=true"],
    ["batches", "/api/batches"],
    ["statistics, kept", "/api/statistics?days=30"],
  ];
  const rows: BenchRow[] = [];
  for (const [name, path] of requests) {
    const { p95Ms, cpuMs } = await measureRequests(() => get(path));
    const row = {
      row: "B2",
      what: `${name}: GET ${path.slice(0, 60)}`,
      measured: `p95 ${milliseconds(p95Ms)}, ${milliseconds(cpuMs)} CPU`,
      rawLimit: "–",
      ratio: null,
      requirement: `p95 ≤ ${P95_MS} ms, ≤ ${CPU_MS} ms CPU`,
    };
    rows.push(judged(row, p95Ms <= P95_MS && cpuMs <= CPU_MS));
  }
  // Each request has a different span, so that the server has none of them in its cache.
  let span = 0;
  const { p95Ms, cpuMs } = await measureRequests(() => get(`/api/statistics?days=${26 + (span++ % 9)}`));
  rows.push({
    row: "B2",
    what: "statistics of 26 to 34 days, computed: at most once in 10 s for a span",
    measured: `p95 ${milliseconds(p95Ms)}, ${milliseconds(cpuMs)} CPU`,
    rawLimit: "–",
    ratio: null,
    requirement: "–",
    verdict: "information",
  });
  rows.push(...(await recordingRows(recordingBytes)));
  process.stdout.write(`${tableText(rows)}\n`);
  process.stdout.write(`${runs.toLocaleString("en")} runs, load ${loadavg()[0]?.toFixed(1)}\n`);
} finally {
  await rm(home, { recursive: true, force: true });
}

/** Parses the number of batches. Their runs must fill more than one page of the list, so that there is a next page to measure. */
function batchesOf(text: string): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number * RUNS_PER_BATCH <= RUNS_PER_PAGE || number > MAX_BATCHES)
    refuseArguments(
      import.meta.url,
      `${text} Triage Batches: give a whole number from ${Math.floor(RUNS_PER_PAGE / RUNS_PER_BATCH) + 1} to ${MAX_BATCHES}; fewer do not fill a page of ${RUNS_PER_PAGE} Triage Runs`,
    );
  return number;
}

/** Parses `64M` or `1G`, in units of 1024. */
function bytesOf(text: string): number {
  const [, number, unit] = /^(\d{1,4})([MG])$/.exec(text) ?? [];
  if (number === undefined) refuseArguments(import.meta.url, `--recording ${text}: give a size as 64M or 1G`);
  return Number(number) * (unit === "G" ? 1024 ** 3 : 1024 ** 2);
}

async function checkTotals(get: (path: string) => Promise<Record<string, unknown>>): Promise<void> {
  const { runs: counted, batches: countedBatches, usd } = await get("/api/totals");
  const { total } = await get("/api/runs?limit=1");
  if (counted !== runs || total !== runs || countedBatches !== batches || usd !== runs / 2)
    throw new Error(`totals: ${String(counted)} runs, ${String(total)} listed, $${String(usd)}`);
}
