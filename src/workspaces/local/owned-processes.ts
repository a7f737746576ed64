import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Clock } from "agent-tty/kit";
import { createProcfsObserver, hasProcfs, type Look, type Ownership } from "./procfs-observer.ts";

const PAUSE_MS = 20;

/**
 * Kills until a conclusive look finds nothing. Everything found is stopped before anything is killed, or a fork bomb would
 * outrun the loop. Gives the pids that are left at the time limit.
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
    // On a machine so busy that no look is conclusive, the last one counts.
    if (signal.aborted || clock.monotonicMs() - startMs > timeoutMs) return owned;
    await clock.sleep(PAUSE_MS);
  }
}

function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EPERM: it changed its user. It stays in the next look, and so in the answer.
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** Systems without /proc, such as macOS: by the marker alone, in the environments that `ps` shows. */
async function processTable({ marker }: Ownership): Promise<Look> {
  const options = { env: { PATH: "/bin:/usr/bin", LC_ALL: "C" }, timeout: 10_000, maxBuffer: 64 * 1024 ** 2 };
  const { stdout } = await promisify(execFile)("ps", ["eww", "-A", "-o", "pid=", "-o", "command="], options);
  const rows = stdout.split("\n").filter((row) => ` ${row} `.includes(` ${marker} `));
  return {
    owned: rows.map((row) => Number.parseInt(row, 10)).filter((pid) => pid !== process.pid),
    isConclusive: true,
  };
}
