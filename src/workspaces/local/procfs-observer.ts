import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The signs by which a process is known to belong to a local Coder workspace; any one of them is enough. */
export interface Ownership {
  /** An entry of its environment, which every process inherits that does not clear its environment. */
  marker: string;
  /**
   * The process has its working directory, root or program below one of these directories. This includes a shell that a person
   * left open there.
   */
  directories: readonly string[];
}

/** One pass over the process table. An inconclusive pass may have missed a process that another one forked before it ended. */
export interface Look {
  owned: number[];
  isConclusive: boolean;
}

type Sight = "owned" | "foreign" | "gone";

const refused = Symbol("refused");

/** Returns whether /proc can be searched for processes (proc(5)). */
export function hasProcfs(): boolean {
  return existsSync("/proc/self/environ");
}

/**
 * Returns a function that searches /proc for owned processes (proc(5)). A process that is listed but gone before it is read may
 * have forked one that is not listed. Such a pass is inconclusive, unless an earlier pass has already classified that process.
 * The function is synchronous, because processes that live only briefly and start each other stay ahead of an observer that waits
 * between listing and reading.
 */
export function createProcfsObserver(ownership: Ownership): () => Look {
  const settled = new Set<number>();
  return () => {
    // The newest are read first, because they may be gone soon. The listing itself is in ascending order of pids.
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
  // It is empty for kernel threads, zombies and processes that are about to end.
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

/** Returns this process and its ancestors, which must never be killed. */
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

/**
 * Returns what `read` returns, null if the process is gone, or `refused` for processes of other users and for a working directory
 * whose path is too long.
 */
function attempt(read: () => string): string | typeof refused | null {
  try {
    return read();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ESRCH" ? null : refused;
  }
}
