import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHome } from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";
import { execa } from "execa";
import type { CDPSession, Page } from "playwright-core";
import { boardRunId } from "../../../../src/board/index.ts";
import { selectedTriageRun, transition } from "../../../../src/runs/index.ts";
import { openStore } from "../../../../src/store/index.ts";
import { hasChromium, launchChromium } from "../../../../test/support/board/index.ts";
import { firstOutput } from "../../measure.ts";
import { type BenchRow, judged, milliseconds, notMeasured } from "../../row.ts";
import { headOf, RECORD_EVERY_MS, type WrittenRecording, writeRecording } from "./write-recording.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const TOKEN = "0".repeat(64);
const RUN_ID = "20260101T000000Z";
const SHORT_BYTES = 8 * 1024 ** 2;
const OPENINGS = 5;
const SEEKS = 40;
const [FIRST_MS, SEEK_MS, MEMORY_MB, SCRIPT_KB] = [500, 300, 50, 120];

/**
 * Measures the page in Chromium with a recording of `sizeBytes` bytes (B5), and the weight of that view (B12). Each time ends
 * when the expected line is on the screen.
 */
export async function recordingRows(sizeBytes: number): Promise<BenchRow[]> {
  const size = `${Math.round(sizeBytes / 1024 ** 2)} MiB`;
  if (!hasChromium) return [notMeasured("B5", `a recording of ${size}`, "no Chromium", "–")];
  const home = await mkdtemp(join(tmpdir(), "bench-recording-"));
  try {
    const ports = { clock: systemClock, ids: systemIds(systemClock) };
    const sessions = await openHome({ directory: join(home, "agent-tty"), ...ports });
    const short = await writeRecording(sessions, SHORT_BYTES);
    const long = await writeRecording(sessions, sizeBytes);
    await writeRuns(home, [short, long]);
    const page = join(home, "dist");
    const tsx = { preferLocal: true, localDir: ROOT, cwd: ROOT } as const;
    await execa("tsx", [join(ROOT, "scripts/build.ts"), "--page", page], tsx);
    // Only the server's own memory counts, so it is not started through a loader.
    const server = execa(
      process.execPath,
      ["--import", "tsx", join(import.meta.dirname, "serve-home.ts"), home, join(page, "board"), TOKEN],
      { ...tsx, stdin: "pipe", buffer: false, reject: false },
    );
    try {
      const url = await firstOutput(server.stdout);
      return await measure({ url, pid: server.pid ?? 0, short, long, size });
    } finally {
      server.stdin.end();
      await server;
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function writeRuns(home: string, recordings: readonly WrittenRecording[]): Promise<void> {
  using store = await openStore({ path: join(home, "store.sqlite"), clock: systemClock });
  store.recordBatch({ runId: RUN_ID, parent: "p", provider: "local", repos: ["o/r"], startedAtMs: 1 });
  for (const { sessionId } of recordings) {
    const selected = selectedTriageRun({ ...keyOf(sessionId), atMs: 1 });
    const opened = transition(selected, { type: "session-opened", sessionId });
    const end = { status: "skipped", reason: "bench" } as const;
    store.saveRun(transition(opened, { type: "run-settled", end, atMs: 2 }));
  }
}

/** Returns the key of a recording's Triage Run. */
function keyOf(sessionId: string): { runId: string; repo: string; number: number } {
  return { runId: RUN_ID, repo: "o/r", number: Number.parseInt(sessionId.slice(-5), 36) };
}

function pathOf({ sessionId }: WrittenRecording): string {
  return encodeURIComponent(boardRunId(keyOf(sessionId)));
}

interface Stage {
  url: string;
  pid: number;
  /** A short recording that is read the same way first, so that the memory that the program itself needs does not count. */
  short: WrittenRecording;
  long: WrittenRecording;
  size: string;
}

async function measure({ url, pid, short, long, size }: Stage): Promise<BenchRow[]> {
  const browser = await launchChromium();
  try {
    const first: number[] = [];
    let scriptBytes = 0;
    const opened = async (recording: WrittenRecording): Promise<Page> => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await context.request.get(`${url}?token=${TOKEN}`, { maxRedirects: 0 });
      scriptBytes = 0;
      page.on("requestfinished", (request) => {
        if (request.resourceType() !== "script") return;
        void request.sizes().then(({ responseBodySize }) => (scriptBytes += responseBodySize));
      });
      await page.goto(`${url}#/runs/${pathOf(recording)}`, { waitUntil: "commit" });
      first.push(await shownAt(page, headOf(recording.records)));
      return page;
    };
    const warm = await opened(short);
    const cold = first.pop() ?? 0;
    for (let time = 0; time < SEEKS; time += 1) await seek(warm, placeIn(short, time));
    await warm.context().close();
    const serverBefore = await serverMegabytes(pid);
    for (let time = 1; time < OPENINGS; time += 1) await (await opened(long)).context().close();
    const page = await opened(long);
    const heap = await page.context().newCDPSession(page);
    const heapBefore = await heapMegabytes(heap);
    const seeks: number[] = [];
    for (let time = 0; time < SEEKS; time += 1) seeks.push(await seek(page, placeIn(long, time)));
    const heapGrowth = (await heapMegabytes(heap)) - heapBefore;
    const serverGrowth = (await serverMegabytes(pid)) - serverBefore;
    const search = await searched(url, long);
    const [p50, p95] = [0.5, 0.95].map((part) => sorted(seeks)[Math.ceil(seeks.length * part) - 1] ?? 0);
    const worst = Math.max(...first);
    const row = (what: string, measured: string, requirement: string, isMet: boolean): BenchRow =>
      judged({ row: "B5", what, measured, requirement, rawLimit: "–", ratio: null }, isMet);
    return [
      row(
        `recording of ${size}: first screen`,
        `median ${milliseconds(sorted(first)[2] ?? 0)}, worst of ${OPENINGS} ${milliseconds(worst)}; ${milliseconds(cold)} just after the start`,
        `≤ ${FIRST_MS} ms`,
        worst <= FIRST_MS,
      ),
      row(
        `recording of ${size}: seek`,
        `p50 ${milliseconds(p50 ?? 0)}, p95 ${milliseconds(p95 ?? 0)}`,
        `p95 ≤ ${SEEK_MS} ms`,
        (p95 ?? 0) <= SEEK_MS,
      ),
      row(
        `recording of ${size}: memory of the page`,
        `+${heapGrowth.toFixed(1)} MB after ${SEEKS} seeks`,
        `≤ ${MEMORY_MB} MB`,
        heapGrowth <= MEMORY_MB,
      ),
      row(
        `recording of ${size}: memory of the server`,
        `+${serverGrowth.toFixed(1)} MB at most over one of 8 MiB`,
        `≤ ${MEMORY_MB} MB`,
        serverGrowth <= MEMORY_MB,
      ),
      {
        row: "B5",
        what: `recording of ${size}: search to its end`,
        measured: search,
        rawLimit: "–",
        ratio: null,
        requirement: "–",
        verdict: "information",
      },
      judged(
        {
          row: "B12",
          what: "scripts of a view with a terminal, compressed as Chromium asks for",
          measured: `${(scriptBytes / 1_000).toFixed(0)} kB`,
          rawLimit: "–",
          ratio: null,
          requirement: `≤ ${SCRIPT_KB} kB`,
        },
        scriptBytes <= SCRIPT_KB * 1_000,
      ),
    ];
  } finally {
    await browser.close();
  }
}

/** Resolves with the page's time when the text is on the screen. */
function shownAt(page: Page, text: string): Promise<number> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const began = performance.now();
    const look = () => {
      const shown = document.querySelector(".xterm-rows")?.textContent.replaceAll("\\u00a0", " ") ?? "";
      if (shown.includes(${JSON.stringify(text)})) resolve(performance.now());
      else if (performance.now() - began > 20000) reject(new Error(${JSON.stringify(`never shown: ${text}`)}));
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

async function seek(page: Page, record: number): Promise<number> {
  const began = await page.evaluate<number>(`(() => {
    const scrubber = document.querySelector(".scrubber");
    scrubber.value = ${record * RECORD_EVERY_MS};
    scrubber.dispatchEvent(new Event("input", { bubbles: true }));
    return performance.now();
  })()`);
  return (await shownAt(page, headOf(record))) - began;
}

/** Returns the memory in use after a garbage collection, in MB. */
async function heapMegabytes(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0) / 1e6;
}

/** Returns the server's peak memory, in MB. */
async function serverMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return (Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024) / 1e6;
}

/**
 * Returns the record to read at the given count. The records are spread over the recording out of order; it is divided into a
 * prime number of parts.
 */
function placeIn({ records }: WrittenRecording, time: number): number {
  return 1 + Math.floor((((time * 7_919) % 10_007) / 10_007) * (records - 1));
}

/** Searches for a line near the end, part by part, as the page does, and returns the result. */
async function searched(url: string, recording: WrittenRecording): Promise<string> {
  const text = `record ${recording.records - 3} of`;
  const began = performance.now();
  const parts: number[] = [];
  let hits = 0;
  for (let after: number | null = 0; after !== null;) {
    const from = performance.now();
    const path = `/api/runs/${pathOf(recording)}/recording/search?q=${encodeURIComponent(text)}&after=${after}`;
    const answer = await fetch(new URL(path, url), { headers: { Authorization: `Bearer ${TOKEN}` } });
    const part = (await answer.json()) as { hits: unknown[]; nextSeq: number | null };
    hits += part.hits.length;
    after = part.nextSeq;
    parts.push(performance.now() - from);
  }
  return `${hits} hit in ${milliseconds(performance.now() - began)}, a part ${milliseconds(Math.max(...parts))} at most`;
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}
