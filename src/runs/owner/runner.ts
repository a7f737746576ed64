import { type Clock, raceSignal, startDeadline } from "agent-tty/kit";
import type { MonitorSource } from "../monitor/index.ts";
import { judgeRunner, type Liveness, type Posture, type RunnerVerdict } from "../runner-verdict.ts";
import type { InputGate } from "../input-gate.ts";

/** C4: whoever runs the Triage Agent of one run: its Session and what drives it. Startup blockers are its own business. */
export interface Runner {
  probes: RunnerProbes;
  screen: MonitorSource;
  gate: InputGate;
  /** Resolves once the Triage Agent no longer works. What makes it stop is the run's stop signal. */
  stopped(): Promise<void>;
}

export interface RunnerProbes {
  liveness(signal: AbortSignal): Promise<Liveness>;
  posture(signal: AbortSignal): Promise<Posture>;
}

const PROBE_TIMEOUT_MS = 5_000;

/** C5. A probe that fails or takes too long is `unknown`, never death (O13). */
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
