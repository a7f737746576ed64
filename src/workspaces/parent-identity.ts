import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

/** The system on which the parent runs; only tests pass another value than this machine's. */
export interface ParentSystem {
  hostname: string;
  platform: NodeJS.Platform;
}

type ProcessFact = { type: "running"; startTime: string } | { type: "none" } | { type: "unreadable" };

const thisSystem: ParentSystem = { hostname: hostname(), platform: process.platform };

/**
 * Returns `hostname/pid/startTime`, which stays unique when the pid is used again. On Linux the start time is `<boot id>.<pid
 * namespace>.<clock ticks since boot>` (proc(5), field 22 of stat), elsewhere the output of `ps -o lstart`.
 */
export async function parentIdentity(pid = process.pid, system = thisSystem): Promise<string> {
  const fact = await processFact(pid, system);
  if (fact.type !== "running") throw new Error(`cannot tell when process ${pid} was started: ${fact.type}`);
  return `${system.hostname}/${pid}/${fact.startTime}`;
}

/**
 * Returns whether the parent that wrote `text` is still alive. Only this machine, in this boot and pid namespace, can prove a
 * death: two machines may have the same hostname, and a wrong `dead` would destroy a Coder workspace in use.
 */
export async function parentState(text: string, system = thisSystem): Promise<"alive" | "dead" | "unknown"> {
  const match = /^([^/]+)\/([1-9][0-9]{0,9})\/([^/]+)$/.exec(text);
  const [, host = "", pid = "", startTime = ""] = match ?? [];
  if (match === null || host !== system.hostname) return "unknown";
  const scope = await pidScope(system);
  if (scope === null || !startTime.startsWith(scope)) return "unknown";
  const fact = await processFact(Number(pid), system);
  switch (fact.type) {
    case "running":
      return fact.startTime === startTime ? "alive" : "dead";
    case "none":
      return "dead";
    case "unreadable":
      return "unknown";
  }
}

function processFact(pid: number, system: ParentSystem): Promise<ProcessFact> {
  return system.platform === "linux" ? linuxProcess(pid, system) : posixProcess(pid);
}

/**
 * Returns the namespace to which a pid is relative, an empty text if only the hostname is known, or null if the namespace cannot
 * be read.
 */
async function pidScope({ platform }: ParentSystem): Promise<string | null> {
  if (platform !== "linux") return "";
  try {
    const boot = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
    const namespace = /\[(\d+)\]/.exec(await readlink("/proc/self/ns/pid"))?.[1] ?? "";
    return `${boot}.${namespace}.`;
  } catch {
    return null;
  }
}

async function linuxProcess(pid: number, system: ParentSystem): Promise<ProcessFact> {
  const scope = await pidScope(system);
  if (scope === null) return { type: "unreadable" };
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses and may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = ""] = fields;
    return /[ZX]/.test(state) ? { type: "none" } : { type: "running", startTime: `${scope}${fields[19]}` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { type: code === "ENOENT" || code === "ESRCH" ? "none" : "unreadable" };
  }
}

async function posixProcess(pid: number): Promise<ProcessFact> {
  const env = { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" };
  try {
    const { stdout } = await promisify(execFile)(
      "ps",
      ["-o", "stat=", "-o", "lstart=", "-p", String(pid)],
      // A hanging `ps` must not block the reaper: after the timeout the fact counts as unreadable.
      { env, timeout: 10_000 },
    );
    const [state = "", ...start] = stdout.trim().split(/\s+/);
    return state.startsWith("Z") ? { type: "none" } : { type: "running", startTime: start.join("_") };
  } catch (error) {
    return { type: (error as { code?: unknown }).code === 1 ? "none" : "unreadable" };
  }
}
