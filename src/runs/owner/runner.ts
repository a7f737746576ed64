import { type Clock, raceSignal, startDeadline } from "agent-tty/kit";
import type { MonitorSource } from "../start-monitor.ts";
import { judgeRunner, type Liveness, type Posture, type RunnerVerdict } from "../runner-verdict.ts";
import type { InputGate } from "../input-gate.ts";

/** The runner of one run's Triage Agent: its Session and its driver (C4). The runner handles startup blockers itself. */
export interface Runner {
  probes: RunnerProbes;
  screen: MonitorSource;
  gate: InputGate;
  /** Resolves when the Triage Agent has stopped. The run's stop signal makes it stop. */
  stopped(): Promise<void>;
}

export interface RunnerProbes {
  liveness(signal: AbortSignal): Promise<Liveness>;
  posture(signal: AbortSignal): Promise<Posture>;
}

const PROBE_TIMEOUT_MS = 5_000;

/**
 * Returns the verdict of a probe of the runner (C5). A probe that fails or exceeds its deadline is `unknown`, never death (O13).
 */
export async function probeRunner(probes: RunnerProbes, clock: Clock): Promise<RunnerVerdict | "unknown"> {
  using deadline = startDeadline(clock, "probing the runner", PROBE_TIMEOUT_MS);
  const { signal } = deadline;
  const ask = <T>(probe: (signal: AbortSignal) => Promise<T>): Promise<T | "unknown"> =>
    raceSignal(probe(signal), signal).catch(() => "unknown" as const);
  const [liveness, posture] = await Promise.all([
    ask((signal) => probes.liveness(signal)),
    ask((signal) => probes.posture(signal)),
  ]);
  return judgeRunner({ liveness, posture });
}
