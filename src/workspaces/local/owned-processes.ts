import { execFile } from "node:child_process";
import { access, readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";
import type { Clock } from "agent-tty/kit";

/** How a process is known to belong to a local Coder workspace: any one of these is enough. */
export interface Ownership {
  /** An entry of its environment, inherited by everything that does not wipe it. */
  marker: string;
  /** Its working directory, root or program lies in one of these. */
  directories: readonly string[];
}

const PAUSE_MS = 20;

/**
 * Kills until two looks in a row find nothing, since one look over /proc can miss what is just being forked. Everything found
 * is stopped before anything is killed, or a fork bomb would outrun the loop. Gives the pids that are left at the deadline.
 */
export async function killOwnedProcesses(
  ownership: Ownership,
  options: { clock: Clock; timeoutMs: number; signal: AbortSignal },
): Promise<number[]> {
  const { clock, timeoutMs, signal } = options;
  const startMs = clock.monotonicMs();
  for (let emptyLooks = 0; emptyLooks < 2;) {
    const pids = await ownedProcesses(ownership);
    emptyLooks = pids.length === 0 ? emptyLooks + 1 : 0;
    for (const name of ["SIGSTOP", "SIGKILL"] as const) for (const pid of pids) signalProcess(pid, name);
    if (pids.length === 0) continue;
    if (signal.aborted || clock.monotonicMs() - startMs > timeoutMs) return pids;
    await clock.sleep(PAUSE_MS);
  }
  return [];
}

/** Never this process nor one that it runs under, whatever they look like. */
export async function ownedProcesses(ownership: Ownership): Promise<number[]> {
  const all = await allProcesses();
  const spared = ancestors(process.pid, all);
  const owned = await Promise.all(
    [...all.keys()].filter((pid) => !spared.has(pid)).map((pid) => isOwned(pid, ownership)),
  );
  return owned.filter((pid) => pid !== null);
}

async function isOwned(pid: number, { marker, directories }: Ownership): Promise<number | null> {
  if (!(await hasProcfs())) return (await environmentOf(pid)).includes(marker) ? pid : null;
  const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
  if (environment.split("\0").includes(marker)) return pid;
  for (const link of ["cwd", "root", "exe"]) {
    const target = await readlink(`/proc/${pid}/${link}`).catch(() => "");
    if (directories.some((directory) => `${target}/`.startsWith(`${directory}/`))) return pid;
  }
  return null;
}

/** pid → parent's pid. */
async function allProcesses(): Promise<Map<number, number>> {
  if (!(await hasProcfs())) return processTable();
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const rows = await Promise.all(
    pids.map(async (pid): Promise<[number, number]> => [pid, await parentOf(pid)]),
  );
  return new Map(rows);
}

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
}

function ancestors(pid: number, parents: ReadonlyMap<number, number>): Set<number> {
  const chain = new Set<number>();
  for (let next: number | undefined = pid; next !== undefined && !chain.has(next); next = parents.get(next))
    chain.add(next);
  return chain;
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

function hasProcfs(): Promise<boolean> {
  return access("/proc/self/environ").then(
    () => true,
    () => false,
  );
}

/** Systems without /proc, such as macOS. */
async function processTable(): Promise<Map<number, number>> {
  const rows = (await ps(["-A", "-o", "pid=", "-o", "ppid="])).trim().split("\n");
  return new Map(rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]));
}

function environmentOf(pid: number): Promise<string> {
  return ps(["eww", "-o", "command=", "-p", String(pid)]).catch(() => "");
}

async function ps(argv: string[]): Promise<string> {
  const options = { env: { PATH: "/bin:/usr/bin", LC_ALL: "C" }, timeout: 10_000, maxBuffer: 8 * 1024 ** 2 };
  return (await promisify(execFile)("ps", argv, options)).stdout;
}
