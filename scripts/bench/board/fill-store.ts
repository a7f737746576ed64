import Libsql from "libsql";
import { systemClock } from "agent-tty/kit";
import { selectedTriageRun, transition, type TriageRunEvent } from "../../../src/runs/index.ts";
import { openStore } from "../../../src/store/index.ts";

export interface StoreSize {
  batches: number;
  runsPerBatch: number;
}

const HOUR_MS = 3_600_000;

/**
 * Fills a store with finished batches of one hour each, the last of which ends now: one batch is written by the store itself, and
 * SQL copies it with other run ids, repositories, numbers, titles and outcomes; the triggers write the indexes as for any other
 * row.
 */
export async function fillStore(path: string, { batches, runsPerBatch }: StoreSize): Promise<void> {
  using store = await openStore({ path, clock: systemClock });
  const beganMs = Math.floor(systemClock.nowMs() / 1_000) * 1_000 - batches * HOUR_MS;
  const first = `${new Date(beganMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
  const key = { runId: first, repo: "o/r0", number: 1 };
  store.recordBatch({
    runId: first,
    parent: "host/1/1",
    provider: "local",
    repos: ["o/r0"],
    startedAtMs: beganMs,
  });
  const title = "A title of an issue, as long as titles are";
  const issue = { title, url: "https://github.test/o/r/issues/1", waitingSinceMs: beganMs };
  store.saveRun(life(beganMs).reduce(transition, selectedTriageRun({ ...key, atMs: beganMs, issue })));
  store.finishBatch(first, summary(runsPerBatch));
  const connection = new Libsql(path);
  const runId = `strftime('%Y%m%dT%H%M%SZ', ${beganMs / 1_000} + batch.value * 3600, 'unixepoch')`;
  const columns = columnsOf(connection, "runs");
  const changed: Record<string, string> = {
    run_id: runId,
    repo: "'o/r' || (batch.value % 20)",
    number: "run.value",
    // The durations vary, so that the quantiles have to sort different values.
    phase_history: `(SELECT json_group_array(json_set(value, '$.atMs', ${beganMs} + batch.value * ${HOUR_MS} + run.value + key * (1000 + (batch.value * 7919 + run.value * 104729) % 600011))) FROM json_each(phase_history))`,
    issue: `json_set(issue, '$.title', '${title} ' || (batch.value * ${runsPerBatch} + run.value), '$.waitingSinceMs', ${beganMs} - run.value * ${HOUR_MS})`,
    end: 'json_set(end, \'$.outcome\', json_extract(\'["needs-info","ready-for-agent","ready-for-human","wontfix","needs-triage"]\', \'$[\' || ((batch.value + run.value) % 5) || \']\'))',
  };
  const numbers = (count: number): string =>
    `(WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${count}) SELECT value FROM n)`;
  connection.exec(`
    BEGIN;
    INSERT INTO batches (run_id, parent, provider, repos, started_at_ms, finished_at_ms, summary)
    SELECT ${runId}, parent, provider, repos, ${beganMs} + batch.value * ${HOUR_MS}, ${beganMs} + (batch.value + 1) * ${HOUR_MS}, summary
    FROM ${numbers(batches - 1)} AS batch, batches WHERE run_id = '${first}';
    INSERT INTO runs (${columns.join(", ")})
    SELECT ${columns.map((column) => changed[column] ?? column).join(", ")}
    FROM ${numbers(batches - 1)} AS batch, ${numbers(runsPerBatch)} AS run, runs WHERE runs.run_id = '${first}';
    INSERT INTO runs (${columns.join(", ")})
    SELECT ${columns.map((column) => (column === "number" ? "run.value + 1" : column)).join(", ")}
    FROM ${numbers(Math.max(1, runsPerBatch - 1))} AS run, runs WHERE runs.run_id = '${first}';
    COMMIT;`);
  connection.close();
}

function columnsOf(connection: Libsql.Database, table: string): string[] {
  const rows = connection.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
  return (rows as { name: string }[]).map(({ name }) => name);
}

function life(beganMs: number): TriageRunEvent[] {
  const phases = ["creating", "preparing", "triaging", "verifying", "applying"] as const;
  const usage = { inputTokens: 1, outputTokens: 2, usd: 0.5 };
  return [
    ...phases.map((phase) => ({ type: "phase-entered", phase, atMs: beganMs }) as const),
    { type: "result-reported", result: { category: "bug", commentUrl: "u", usage } },
    {
      type: "run-settled",
      end: { status: "applied", reason: "needs-triage", outcome: "needs-info" },
      atMs: beganMs,
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
