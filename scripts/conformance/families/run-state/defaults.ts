import { MONITOR_TIMES } from "../../../../src/runs/index.ts";
import { type CaseReport, compare, notExpressible } from "../../case-report.ts";
import { failingObserver, openOwnerStage } from "./owner-stage.ts";

const EVENT_DRIVEN = "Turns are driven by what the screen shows, not at an interval";

const KNOWN: Readonly<Record<string, number>> = {
  updateIntervalMs: MONITOR_TIMES.updateIntervalMs,
  idleTimeoutMs: MONITOR_TIMES.idleTimeoutMs,
  noOutputTimeoutMs: MONITOR_TIMES.noOutputTimeoutMs,
  maxRuntimeMin: MONITOR_TIMES.observationWindowMs / 60_000,
  first_output_poll_ms: MONITOR_TIMES.firstOutputPollMs,
};

export async function checkDefaults(defaults: Readonly<Record<string, number>>): Promise<CaseReport[]> {
  const reports: CaseReport[] = [];
  for (const [name, expected] of Object.entries(defaults)) {
    const id = `default ${name}`;
    const known = KNOWN[name];
    if (known !== undefined) reports.push(compare(id, expected, known));
    else if (name === "observer_retryable_failure_limit")
      reports.push(compare(id, expected, await failureLimit()));
    else reports.push(notExpressible(id, EVENT_DRIVEN));
  }
  return reports;
}

/** Returns the number of consecutive retryable failures after which an observer counts as gone. */
async function failureLimit(): Promise<number> {
  const { owner, clock } = openOwnerStage();
  const observer = failingObserver();
  observer.failures = Array.from({ length: 100 }, () => "retry" as const);
  owner.observe(observer, { type: "live" });
  await clock.advance(600_000);
  return 100 - observer.failures.length;
}
