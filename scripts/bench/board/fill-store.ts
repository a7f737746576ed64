import Libsql from "libsql";
import { systemClock } from "agent-tty/kit";
import { selectedTriageRun, transition, type TriageRunEvent } from "../../../src/runs/index.ts";
import { openStore } from "../../../src/store/index.ts";

export interface StoreSize {
  batches: number;
  runsPerBatch: number;
}

const FIRST = "20250101T000000Z";
const HOUR_MS = 3_600_000;
const BEGAN_MS = Date.UTC(2025, 0, 1);

/**
 * Fills a store with finished batches of one hour each: one batch is written by the store itself, and SQL copies it with
 * other run ids, repositories, numbers, titles and outcomes; the triggers write the indexes as for any other row.
 */
export async function fillStore(path: string, { batches, runsPerBatch }: StoreSize): Promise<void> {
  using store = await openStore({ path, clock: systemClock });
  const key = { runId: FIRST, repo: "o/r0", number: 1 };
  store.recordBatch({
    runId: FIRST,
    parent: "host/1/1",
    provider: "local",
    repos: ["o/r0"],
    startedAtMs: BEGAN_MS,
  });
  const title = "A title of an issue, as long as titles are";
  const issue = { title, url: "https://github.test/o/r/issues/1", waitingSinceMs: BEGAN_MS };
  store.saveRun(life().reduce(transition, selectedTriageRun({ ...key, atMs: BEGAN_MS, issue })));
  store.finishBatch(FIRST, summary(runsPerBatch));
  const connection = new Libsql(path);
  const runId = `strftime('%Y%m%dT%H%M%SZ', ${BEGAN_MS / 1_000} + batch.value * 3600, 'unixepoch')`;
  const columns = columnsOf(connection, "runs");
  const changed: Record<string, string> = {
    run_id: runId,
    repo: "'o/r' || (batch.value % 20)",
    number: "run.value",
    phase_history: `replace(phase_history, '${BEGAN_MS}', ${BEGAN_MS} + batch.value * ${HOUR_MS} + run.value)`,
    issue: `json_set(issue, '$.title', '${title} ' || (batch.value * ${runsPerBatch} + run.value))`,
    end: 'json_set(end, \'$.outcome\', json_extract(\'["needs-info","ready-for-agent","ready-for-human","wontfix","needs-triage"]\', \'$[\' || ((batch.value + run.value) % 5) || \']\'))',
  };
  const numbers = (count: number): string =>
    `(WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${count}) SELECT value FROM n)`;
  connection.exec(`
    BEGIN;
    INSERT INTO batches (run_id, parent, provider, repos, started_at_ms, finished_at_ms, summary)
    SELECT ${runId}, parent, provider, repos, ${BEGAN_MS} + batch.value * ${HOUR_MS}, ${BEGAN_MS} + (batch.value + 1) * ${HOUR_MS}, summary
    FROM ${numbers(batches - 1)} AS batch, batches WHERE run_id = '${FIRST}';
    INSERT INTO runs (${columns.join(", ")})
    SELECT ${columns.map((column) => changed[column] ?? column).join(", ")}
    FROM ${numbers(batches - 1)} AS batch, ${numbers(runsPerBatch)} AS run, runs WHERE runs.run_id = '${FIRST}';
    INSERT INTO runs (${columns.join(", ")})
    SELECT ${columns.map((column) => (column === "number" ? "run.value + 1" : column)).join(", ")}
    FROM ${numbers(Math.max(1, runsPerBatch - 1))} AS run, runs WHERE runs.run_id = '${FIRST}';
    COMMIT;`);
  connection.close();
}

function columnsOf(connection: Libsql.Database, table: string): string[] {
  const rows = connection.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
  return (rows as { name: string }[]).map(({ name }) => name);
}

function life(): TriageRunEvent[] {
  const phases = ["creating", "preparing", "triaging", "verifying", "applying"] as const;
  const usage = { inputTokens: 1, outputTokens: 2, usd: 0.5 };
  return [
    ...phases.map((phase) => ({ type: "phase-entered", phase, atMs: BEGAN_MS }) as const),
    { type: "result-reported", result: { category: "bug", commentUrl: "u", usage } },
    {
      type: "run-settled",
      end: { status: "applied", reason: "needs-triage", outcome: "needs-info" },
      atMs: BEGAN_MS,
    },
  ];
}

function summary(runs: number): unknown {
  const issue = { repo: "o/r0", number: 1, category: "bug", policy: [], commentUrl: "u", timings: {} };
  const usage = { inputTokens: 1, outputTokens: 2, usd: 0.5 };
  return {
    totals: { applied: runs, skipped: 0, locked: 0, requeued: 0, failed: 0 },
    issues: Array.from({ length: runs }, () => ({ ...issue, usage })),
    stranded: [],
  };
}
