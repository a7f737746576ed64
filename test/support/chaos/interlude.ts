import { systemClock } from "agent-tty/kit";
import type { ChaosStage } from "./chaos-stage.ts";
import type { Interlude } from "./schedule.ts";
import type { Tally } from "./tally.ts";
import type { Timeline } from "./timeline.ts";

/** Starts a command that cleans up or verifies, and interrupts it. */
export async function playInterlude(
  { command, signal, afterMs }: Interlude,
  stage: ChaosStage,
  timeline: Timeline,
  signals: Tally,
): Promise<void> {
  const running = stage.start(0, command === "verify" ? ["verify", "--all"] : ["reap"]);
  timeline.note("interlude", `${command} starts (pid ${running.pid})`);
  using _cut = systemClock.schedule(afterMs, () => {
    if (running.kill(signal)) signals.add(`${signal} to ${command}`);
  });
  const { exitCode, signal: died, stdout } = await running;
  timeline.note("interlude", `${command} ends: ${died ?? `exit code ${exitCode}`}: ${stdout.slice(0, 700)}`);
}
