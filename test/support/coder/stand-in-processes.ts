import { readdirSync, readFileSync } from "node:fs";

/** Ends every process whose environment carries `entry` (`NAME=value`), however far it has detached itself. */
export function killProcessesCarrying(entry: string): void {
  // Twice: a process may have forked between the listing and the kill.
  for (let round = 0; round < 2; round += 1)
    for (const pid of processesCarrying(entry)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
}

export function processesCarrying(entry: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const isZombie = /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
        return !isZombie && readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(entry);
      } catch {
        return false;
      }
    })
    .map(Number);
}
