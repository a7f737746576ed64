/**
 * `npm run bench:board`: the board's list of 1,000 Triage Runs (O22) over HTTP, in CPU time of this process, which
 * other load does not lengthen; beside it what SQLite alone takes to read the rows. Prints a table.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import Libsql from "libsql";
import { startBoard } from "../src/board/index.ts";
import { openBoardSource } from "../src/board/source/index.ts";
import { selectedTriageRun, transition, type TriageRunEvent } from "../src/runs/index.ts";
import { openStore } from "../src/store/index.ts";
import { judged, milliseconds, tableText } from "./bench/row.ts";

const RUNS = 1_000;
const TIMES = 20;
const LIMIT_MS = 200;
const TOKEN = "0".repeat(64);
const ports = { clock: systemClock, ids: systemIds(systemClock) };

const home = await mkdtemp(join(tmpdir(), "bench-board-"));
try {
  await fill(join(home, "store.sqlite"));
  const sqlMs = await cpuMs(() => readAlone(join(home, "store.sqlite")));
  await using source = openBoardSource(home, ports);
  await using board = await startBoard({
    source,
    ...ports,
    host: "127.0.0.1",
    port: 0,
    token: TOKEN,
    allowsControl: false,
    version: "bench",
    pageDirectory: home,
    redact: (text) => text,
    onFailure: (error) => void process.stderr.write(`${String(error)}\n`),
  });
  const list = async (): Promise<void> => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const { runs } = (await (
      await fetch(new URL(`/api/runs?limit=${RUNS}`, board.url), { headers })
    ).json()) as {
      runs: unknown[];
    };
    if (runs.length !== RUNS) throw new Error(`${runs.length} runs`);
  };
  const listMs = await cpuMs(list);
  const row = {
    row: "O22",
    what: `GET /api/runs, ${RUNS} rows, server and client`,
    measured: `${milliseconds(listMs)} CPU`,
    rawLimit: `${milliseconds(sqlMs)} CPU (SQLite alone)`,
    ratio: listMs / sqlMs,
    requirement: `≤ ${LIMIT_MS} ms`,
  };
  process.stdout.write(`${tableText([judged(row, listMs <= LIMIT_MS)])}\n`);
} finally {
  await rm(home, { recursive: true, force: true });
}

/** Ten batches, half of their runs settled. */
async function fill(path: string): Promise<void> {
  using store = await openStore({ path, clock: systemClock });
  for (let index = 0; index < RUNS; index += 1) {
    const runId = `202601${10 + (index % 10)}T000000Z`;
    if (index < 10)
      store.recordBatch({ runId, parent: "host/1/1", provider: "local", repos: ["o/r"], startedAtMs: index });
    const issue = {
      title: "A title of an issue, as long as titles are",
      url: "https://github.test/o/r/issues/1",
      waitingSinceMs: 1,
    };
    const selected = selectedTriageRun({ runId, repo: "o/r", number: index + 1, atMs: index, issue });
    store.saveRun(life(index).reduce(transition, selected));
  }
}

function life(index: number): TriageRunEvent[] {
  const phases = ["creating", "preparing", "triaging", "verifying", "applying"] as const;
  const usage = { inputTokens: 1, outputTokens: 2, usd: 0.5 };
  return [
    ...phases.map((phase, step) => ({ type: "phase-entered", phase, atMs: index + step }) as const),
    { type: "result-reported", result: { category: "bug", commentUrl: "u", usage } },
    ...(index % 2 === 0
      ? []
      : [
          {
            type: "run-settled",
            end: { status: "applied", reason: "needs-triage", outcome: "needs-info" },
            atMs: index + 9,
          } as const,
        ]),
  ];
}

async function readAlone(path: string): Promise<void> {
  const connection = new Libsql(path);
  connection.prepare("SELECT * FROM runs ORDER BY run_id DESC, repo, number LIMIT ?").all(RUNS);
  connection.close();
}

/** Mean of many, after a few that nobody counts. */
async function cpuMs(work: () => Promise<void>): Promise<number> {
  for (let time = 0; time < 5; time += 1) await work();
  const before = process.cpuUsage();
  for (let time = 0; time < TIMES; time += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / TIMES;
}
