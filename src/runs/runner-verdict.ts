/** `unknown` covers a probe that failed, exceeded its deadline or could not be made (O13). It proves nothing. */
export type Liveness = "alive" | "dead" | "unknown";
/** Whether the Triage Agent works, waits for an answer, or is ready for a prompt. */
export type Posture = "busy" | "waiting" | "ready" | "unknown";

/** The runner's verdict on a Triage Agent without new output (C5). */
export const runnerVerdicts = ["silent-but-alive", "blocked", "dead"] as const;
export type RunnerVerdict = (typeof runnerVerdicts)[number];

/**
 * Returns the verdict of two probes. Only proof of death is `dead`; without proof of life the verdict is `unknown`, which changes
 * nothing.
 */
export function judgeRunner(probed: { liveness: Liveness; posture: Posture }): RunnerVerdict | "unknown" {
  if (probed.liveness === "dead") return "dead";
  if (probed.liveness === "unknown") return "unknown";
  return probed.posture === "waiting" ? "blocked" : "silent-but-alive";
}
