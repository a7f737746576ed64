import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** How a process is known to belong to a local Coder workspace: any one of these is enough. */
export interface Ownership {
  /** An entry of its environment, inherited by everything that does not wipe it. */
  marker: string;
  /** Its working directory, root or program lies in one of these. A shell that a person left standing there ends too. */
  directories: readonly string[];
}

/** One pass over the process table. An inconclusive one may have missed a process that forked and ended meanwhile. */
export interface Look {
  owned: number[];
  isConclusive: boolean;
}

type Sight = "owned" | "foreign" | "gone";

const refused = Symbol("refused");

/** Whether /proc is there to look for processes (proc(5)). */
export function hasProcfs(): boolean {
  return existsSync("/proc/self/environ");
}

/**
 * Looks for owned processes under /proc (proc(5)). A process that is listed but gone before it is read may have forked one that
 * is not listed, so such a look is inconclusive, unless an earlier look has seen that process as it was. Synchronous, because a
 * relay of short-lived processes stays ahead of an observer that waits between listing and reading.
 */
export function createProcfsObserver(ownership: Ownership): () => Look {
  const settled = new Set<number>();
  return () => {
    // Newest first: those are the ones that may be gone soon. The listing itself goes upwards, as pids do.
    const listed = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .reverse();
    const spared = ancestors();
    const sights = listed
      .filter((pid) => !spared.has(pid))
      .map((pid) => [pid, observe(pid, ownership)] as const);
    const isConclusive = sights.every(([pid, sight]) => sight !== "gone" || settled.has(pid));
    for (const [pid, sight] of sights) if (sight !== "owned") settled.add(pid);
    return { owned: sights.filter(([, sight]) => sight === "owned").map(([pid]) => pid), isConclusive };
  };
}

function observe(pid: number, { marker, directories }: Ownership): Sight {
  // Empty for kernel threads, zombies and processes about to end.
  const environment = attempt(() => readFileSync(`/proc/${pid}/environ`, "utf8"));
  if (environment === refused) return "foreign";
  if (environment?.split("\0").includes(marker) === true) return "owned";
  for (const link of ["cwd", "root", "exe"]) {
    const target = attempt(() => readlinkSync(`/proc/${pid}/${link}`));
    if (
      typeof target === "string" &&
      directories.some((directory) => `${target}/`.startsWith(`${directory}/`))
    )
      return "owned";
  }
  return environment === null || environment === "" ? "gone" : "foreign";
}

/** This process and those it runs under: never ours to kill, whatever they look like. */
function ancestors(): Set<number> {
  const chain = new Set<number>();
  for (let pid = process.pid; pid > 0 && !chain.has(pid); pid = parentOf(pid)) chain.add(pid);
  return chain;
}

function parentOf(pid: number): number {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (typeof stat !== "string") return 0;
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0) || 0;
}

/** Refused for processes of other users; also for a working directory deeper than a path can say. */
function attempt(read: () => string): string | typeof refused | null {
  try {
    return read();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ESRCH" ? null : refused;
  }
}
