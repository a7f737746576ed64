import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Clock } from "agent-tty/kit";
import { createProcfsObserver, hasProcfs, type Look, type Ownership } from "./procfs-observer.ts";

const PAUSE_MS = 20;

/**
 * Kills owned processes until a conclusive pass finds none. Resolves with the pids that are left at the time limit. All found
 * processes are stopped before any is killed, because a fork bomb would otherwise outrun the loop.
 */
export async function killOwnedProcesses(
  ownership: Ownership,
  options: { clock: Clock; timeoutMs: number; signal: AbortSignal },
): Promise<number[]> {
  const { clock, timeoutMs, signal } = options;
  const look = hasProcfs() ? createProcfsObserver(ownership) : () => processTable(ownership);
  const startMs = clock.monotonicMs();
  for (;;) {
    const { owned, isConclusive } = await look();
    for (const name of ["SIGSTOP", "SIGKILL"] as const) for (const pid of owned) signalProcess(pid, name);
    if (owned.length === 0 && isConclusive) return [];
    // On a machine so busy that no pass is conclusive, the last pass counts.
    if (signal.aborted || clock.monotonicMs() - startMs > timeoutMs) return owned;
    await clock.sleep(PAUSE_MS);
  }
}

function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EPERM: the process changed its user. The next pass finds it again, so it is part of the result.
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** Lists the owned processes on systems without /proc, such as macOS, only by the marker in the environments that `ps` shows. */
async function processTable({ marker }: Ownership): Promise<Look> {
  const options = { env: { PATH: "/bin:/usr/bin", LC_ALL: "C" }, timeout: 10_000, maxBuffer: 64 * 1024 ** 2 };
  const { stdout } = await promisify(execFile)("ps", ["eww", "-A", "-o", "pid=", "-o", "command="], options);
  const rows = stdout.split("\n").filter((row) => ` ${row} `.includes(` ${marker} `));
  return {
    owned: rows.map((row) => Number.parseInt(row, 10)).filter((pid) => pid !== process.pid),
    isConclusive: true,
  };
}
