import type { Clock } from "agent-tty/kit";

/** Compact UTC run id, `YYYYMMDDTHHMMSSZ`. */
export function runIdAt(clock: Clock): string {
  return new Date(clock.nowMs()).toISOString().replace(/\.\d+Z$/, "Z").replaceAll(/[-:]/g, "");
}
