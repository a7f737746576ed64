import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { createFleetMetrics, type QueueState, serveOperation } from "../../src/fleet/index.ts";

const STATE: QueueState = { waiting: 7, running: 2, oldestMs: 90_000, workers: 3, byRepository: [] };

/** Starts a fleet worker's operation server over a queue whose state `ask` returns. */
async function openOperation(ask: () => Promise<QueueState>, isDraining = () => false) {
  const queue = { state: ask };
  const metrics = createFleetMetrics({
    version: "1.2.3",
    kind: "postgresql",
    queue,
    spend: {
      ofMonth: () =>
        Promise.resolve([
          {
            repositoryId: 1,
            repository: "o/secret-name",
            owner: "o",
            runs: 1,
            lost: 0,
            usd: 2.5,
            tokens: 10,
          },
        ]),
    },
    receiver: {
      counts: () => ({
        accepted: 4,
        repeated: 1,
        ignored: 0,
        malformed: 0,
        forged: 5,
        oversized: 0,
        unsupported: 0,
        unavailable: 0,
      }),
    },
    clock: systemClock,
  });
  const server = await serveOperation(
    { queue, metrics, isDraining, clock: systemClock },
    { host: "127.0.0.1", port: 0 },
  );
  const get = async (path: string, method = "GET") => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    return {
      status: response.status,
      allowed: response.headers.get("allow"),
      type: response.headers.get("content-type"),
      text: await response.text(),
    };
  };
  return Object.assign(server, { get, metrics });
}

test("a running worker is healthy and ready, and its server refuses other paths and methods (F7)", async () => {
  await using operation = await openOperation(() => Promise.resolve(STATE));
  expect(await operation.get("/health")).toMatchObject({ status: 200 });
  expect(await operation.get("/ready")).toMatchObject({ status: 200 });
  expect(await operation.get("/elsewhere")).toMatchObject({ status: 404, type: "application/problem+json" });
  expect(await operation.get("/health", "POST")).toMatchObject({ status: 405, allowed: "GET, HEAD" });
});

test("a worker that drains or has lost its database is healthy but not ready (F7)", async () => {
  await using away = await openOperation(() => Promise.reject(new Error("connection refused")));
  expect(await away.get("/health")).toMatchObject({ status: 200 });
  const unready = await away.get("/ready");
  expect(unready).toMatchObject({ status: 503, type: "application/problem+json" });
  expect(unready.text).toContain("connection refused");
  const metrics = await away.get("/metrics");
  expect(metrics).toMatchObject({ status: 200 });
  expect(metrics.text).toContain("afk_triage_fleet_database_up 0");

  await using silent = await openOperation(() => new Promise(() => undefined));
  const scraped = await silent.get("/metrics");
  expect(scraped.text).toContain("afk_triage_fleet_database_up 0");

  await using draining = await openOperation(
    () => Promise.resolve(STATE),
    () => true,
  );
  expect(await draining.get("/ready")).toMatchObject({ status: 503 });
});

test("metrics report queue, deliveries, visits and spend in Prometheus text format, without repository names (F7)", async () => {
  await using operation = await openOperation(() => Promise.resolve(STATE));
  const ref = { repo: "o/secret-name", number: 1 } as const;
  operation.metrics.observe({ type: "visit-started", ref, attempt: 2 });
  const ended = { status: "applied", reason: "", usd: 1, tokens: 1, againMs: null } as const;
  operation.metrics.observe({ type: "visit-finished", ref, ...ended });
  // Every scrape reads the counts of deliveries again.
  await operation.get("/metrics");
  const { type, text } = await operation.get("/metrics");
  expect(type).toMatch(/^text\/plain; version=0\.0\.4/);
  for (const line of [
    'afk_triage_fleet_info{version="1.2.3",queue="postgresql"} 1',
    "afk_triage_fleet_visits_waiting 7",
    "afk_triage_fleet_visits_running 2",
    "afk_triage_fleet_oldest_visit_seconds 90",
    "afk_triage_fleet_workers 3",
    "afk_triage_fleet_month_usd 2.5",
    'afk_triage_fleet_deliveries_total{answer="forged"} 5',
    'afk_triage_fleet_visits_total{status="applied"} 1',
    "afk_triage_fleet_retaken_visits_total 1",
    "afk_triage_fleet_database_up 1",
  ])
    expect(text.split("\n")).toContain(line);
  expect(text).not.toContain("secret-name");
});
