import { type Clock, raceSignal, startDeadline } from "agent-tty/kit";
import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { FleetObserver } from "../fleet-event.ts";
import type { VisitQueue } from "../queue/index.ts";
import { monthOf, type SpendLedger } from "../spend/index.ts";
import type { Receiver } from "../webhooks/index.ts";

/** The longest wait for the database. Prometheus waits 10 s for a scrape, which must include a database that hangs. */
const ANSWER_WITHIN_MS = 2_000;

export interface MetricsPorts {
  version: string;
  /** `sqlite` or `postgresql`. */
  kind: string;
  queue: Pick<VisitQueue, "state">;
  spend: Pick<SpendLedger, "ofMonth">;
  receiver: Pick<Receiver, "counts">;
  clock: Clock;
}

/**
 * The metrics of one fleet worker in Prometheus format (F7). No metric label contains the name of a repository, an issue label or
 * a person.
 */
export interface FleetMetrics {
  readonly observe: FleetObserver;
  /**
   * Returns the text of a scrape. Asks the database once; a database that does not answer within 2 s is reported as a metric and
   * is not an error.
   */
  scrape(): Promise<{ contentType: string; text: string }>;
}

/** The Prometheus metrics of one fleet worker, all named `afk_triage_fleet_…`. */
export function createFleetMetrics(ports: MetricsPorts): FleetMetrics {
  const { version, kind, queue, spend, receiver, clock } = ports;
  const registers = [new Registry()];
  const [registry] = registers;
  if (registry === undefined) throw new Error("a registry was made above");
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({ name: `afk_triage_fleet_${name}`, help, registers });
  const counter = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[] = [],
  ): Counter<Label> => new Counter({ name: `afk_triage_fleet_${name}`, help, labelNames, registers });

  new Gauge({
    name: "afk_triage_fleet_info",
    help: "Version of the program and kind of the queue; always 1.",
    labelNames: ["version", "queue"],
    registers,
  }).set({ version, queue: kind }, 1);
  const databaseUp = gauge("database_up", "Whether the database answered this scrape.");
  const waiting = gauge("visits_waiting", "Visits in the queue of the whole fleet.");
  const running = gauge("visits_running", "Visits that run at the moment in the whole fleet.");
  const oldest = gauge("oldest_visit_seconds", "How long the oldest visit of the queue has been due.");
  const workers = gauge("workers", "Workers that are alive.");
  const monthUsd = gauge("month_usd", "Dollars that the whole fleet spent in this calendar month (UTC).");
  const monthTokens = gauge("month_tokens", "Tokens that the whole fleet used in this calendar month (UTC).");
  const lastPoll = gauge("last_poll_timestamp_seconds", "When this worker last polled a repository.");
  const visits = counter("visits_total", "Visits that this worker ended, by how they ended.", ["status"]);
  const retaken = counter("retaken_visits_total", "Visits that were taken over or tried again.");
  const budgetWaits = counter("budget_waits_total", "Visits that wait because a monthly budget is spent.");
  const failures = counter("failures_total", "Warnings of this worker.");
  const deliveries = counter("deliveries_total", "Deliveries of webhooks, by how they were answered.", [
    "answer",
  ]);

  const refresh = async (): Promise<void> => {
    deliveries.reset();
    for (const [answer, count] of Object.entries(receiver.counts())) deliveries.inc({ answer }, count);
    using deadline = startDeadline(clock, "asking the database of the fleet", ANSWER_WITHIN_MS);
    try {
      const [state, spent] = await raceSignal(
        Promise.all([queue.state(), spend.ofMonth(monthOf(clock.nowMs()))]),
        deadline.signal,
      );
      waiting.set(state.waiting);
      running.set(state.running);
      oldest.set(state.oldestMs / 1_000);
      workers.set(state.workers);
      monthUsd.set(spent.reduce((sum, { usd }) => sum + usd, 0));
      monthTokens.set(spent.reduce((sum, { tokens }) => sum + tokens, 0));
      databaseUp.set(1);
    } catch {
      databaseUp.set(0);
    }
  };
  return {
    observe: (event) => {
      switch (event.type) {
        case "visit-started":
          if (event.attempt > 1) retaken.inc();
          return;
        case "visit-finished":
          visits.inc({ status: event.status });
          return;
        case "budget-spent":
          budgetWaits.inc();
          return;
        case "polled":
          lastPoll.set(clock.nowMs() / 1_000);
          return;
        case "failure":
          failures.inc();
          return;
        case "fleet-started":
        case "no-installation":
        case "batch":
        case "draining":
      }
    },
    scrape: async () => {
      await refresh();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
