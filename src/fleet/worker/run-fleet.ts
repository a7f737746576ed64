import { type Clock, messageOf } from "agent-tty/kit";
import { type BatchSettings, StopRequested } from "../../triage/index.ts";
import type { FleetObserver } from "../fleet-event.ts";
import type { ReconcilingPoll } from "../poll/index.ts";
import { createVisitor, type VisitPorts } from "../visits/index.ts";
import type { DeliveryInbox } from "../webhooks/index.ts";
import { repeat, type Repeated } from "./run-loops.ts";

export interface FleetWorker {
  settings: BatchSettings;
  ports: VisitPorts;
  inbox: DeliveryInbox;
  poll: ReconcilingPoll;
  /** The interval between two polls of a repository, in milliseconds. */
  pollMs: number;
  /**
   * The time that running visits may still take after the stop, in milliseconds; after that they are stopped as a process signal
   * stops a batch.
   */
  graceMs: number;
  /** Further tasks that run beside the visits. */
  repeated: readonly Repeated[];
  observe: FleetObserver;
  clock: Clock;
}

/** The maximum delay between the time a repository becomes due and its poll. */
const LOOK_MS = 5_000;

/**
 * Runs one fleet worker: it carries out deliveries, polls, and makes visits, `settings.parallelism` at once. After `stop` it
 * takes no further visit. Running visits end within `graceMs`, or are stopped then: their Coder workspaces are deleted, and the
 * queue keeps the issues. Resolves once no visit is running. Rejects with FLEET_WORKER_REPLACED when other workers took over its
 * visits.
 */
export async function runFleetWorker(worker: FleetWorker, stop: AbortSignal): Promise<void> {
  const { settings, ports, inbox, poll, pollMs, graceMs, observe, clock } = worker;
  const stopNow = new AbortController();
  const ended = new AbortController();
  const over = AbortSignal.any([stop, ended.signal]);
  const onFailure = (message: string): void => observe({ type: "failure", message });
  const polling: Repeated = {
    name: "poll the repositories",
    everyMs: Math.min(LOOK_MS, pollMs),
    run: async (signal) => {
      const repositories = await poll.pollDue(pollMs, signal);
      if (repositories > 0) observe({ type: "polled", repositories });
    },
  };
  const beside = [
    inbox.work(over),
    ...[polling, ...worker.repeated].map((task) => repeat(task, { clock, onFailure }, over)),
  ];
  const grace: Disposable[] = [];
  const drain = (): void => {
    observe({ type: "draining", reason: messageOf(stop.reason), graceMs });
    grace.push(clock.schedule(graceMs, () => stopNow.abort(new StopRequested("draining"))));
  };
  if (stop.aborted) drain();
  else stop.addEventListener("abort", drain, { once: true });
  try {
    const visit = createVisitor(settings, ports, stopNow.signal);
    await ports.queue.work({ parallelism: settings.parallelism, visit, stop: over });
  } finally {
    stop.removeEventListener("abort", drain);
    for (const timer of grace) timer[Symbol.dispose]();
    ended.abort();
    await Promise.all(beside);
  }
}
