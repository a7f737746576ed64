/** O13: `unknown` covers a probe that failed, took too long or could not be made. It proves nothing. */
export type Liveness = "alive" | "dead" | "unknown";
/** Whether the Triage Agent works, waits for somebody, or would take a prompt. */
export type Posture = "busy" | "waiting" | "ready" | "unknown";

/** C5: what the runner says of a Triage Agent that shows nothing new. */
export const runnerVerdicts = ["silent-but-alive", "blocked", "dead"] as const;
export type RunnerVerdict = (typeof runnerVerdicts)[number];

/** Only proof of death is death; without proof of life nothing is said (`unknown`), and nothing changes. */
export function judgeRunner(probed: { liveness: Liveness; posture: Posture }): RunnerVerdict | "unknown" {
  if (probed.liveness === "dead") return "dead";
  if (probed.liveness === "unknown") return "unknown";
  return probed.posture === "waiting" ? "blocked" : "silent-but-alive";
}
