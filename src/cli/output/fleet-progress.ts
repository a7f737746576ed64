import type { Clock } from "agent-tty/kit";
import type { FleetEvent, FleetObserver } from "../../fleet/index.ts";
import { issueKey, plainText } from "../../github/index.ts";
import { formatDuration } from "./format-duration.ts";
import { describeEvent } from "./progress.ts";
import type { Output } from "./streams.ts";

/**
 * Returns an observer that writes one JSON object per line on stderr with `--json`, otherwise plain lines with the time, for a log.
 */
export function fleetProgress(
  { output, asJson }: { output: Output; asJson: boolean },
  clock: Clock,
): FleetObserver {
  return (event) => {
    const time = new Date(clock.nowMs()).toISOString();
    if (asJson) return output.event({ time, ...(event.type === "batch" ? event.event : event) });
    const line = describeFleetEvent(event);
    if (line !== null) output.line(`${time}  ${line}`);
  };
}

/** Returns the line for people; null for an event that only programs need. */
export function describeFleetEvent(event: FleetEvent): string | null {
  switch (event.type) {
    case "fleet-started": {
      const { queue, repositories, parallelism, webhookPort } = event;
      const webhooks =
        webhookPort === null ? "no webhooks, only the poll" : `webhooks on port ${webhookPort}`;
      return `fleet worker: ${repositories} repositories, ${parallelism} issues at a time, ${webhooks}, queue in ${queue}`;
    }
    case "no-installation":
      return `the GitHub App is not installed on any repository: install it; the fleet checks again every ${formatDuration(event.againMs)}`;
    case "visit-started":
      return event.attempt > 1
        ? `${issueKey(event.ref)} is taken over or tried again (attempt ${event.attempt})`
        : null;
    case "visit-finished": {
      const again = event.againMs === null ? "" : `, checked again in ${formatDuration(event.againMs)}`;
      return event.status === "applied"
        ? null
        : `${issueKey(event.ref)} ${event.status}: ${event.reason}${again}`;
    }
    case "budget-spent": {
      const of = { repository: "its repository", owner: "its owner", fleet: "the fleet" }[event.scope];
      const unit = event.unit === "usd" ? "USD" : "tokens";
      return `${issueKey(event.ref)} waits: the month's budget of ${of} has no room (${showAmount(event.spent)} of ${showAmount(event.limit)} ${unit} are spent or in use)`;
    }
    case "batch":
      return event.event.type === "batch-started" || event.event.type === "selected"
        ? null
        : describeEvent(event.event);
    case "polled":
      return `polled ${event.repositories} repositories`;
    case "draining":
      return `draining: ${event.reason}; no new issue is started, and running ones have ${formatDuration(event.graceMs)} to finish (a second signal exits at once)`;
    case "failure":
      return `warning: ${plainText(event.message)}`;
  }
}

/** Returns an amount with at most two decimals: dollars with cents, and tokens as whole numbers. */
function showAmount(amount: number): string {
  return String(Math.round(amount * 100) / 100);
}
