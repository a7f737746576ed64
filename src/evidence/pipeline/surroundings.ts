import { type ReadyWorkspace, shellQuote } from "../../workspaces/index.ts";
import type { Patience } from "../place.ts";
import { chooseWayApart, HOME_OF_RUNS, HOME_OF_USER, WAYS_APART } from "./apart.ts";
import { connectionLost } from "./connection-lost.ts";

/** The permissions and tools of the machine of a place. */
export interface Surroundings {
  /** The command that isolates one run; empty: the machine permits none. */
  readonly apart: string;
  /** Processors that the place may use. */
  readonly cores: number;
  /** The memory, in MiB, that programs can still allocate. */
  readonly freeMemoryMb: number;
  /** Tools that the runs need and that do not work here like the GNU versions. */
  readonly missingTools: readonly string[];
}

const NOTHING_KNOWN: Surroundings = { apart: "", cores: 1, freeMemoryMb: 0, missingTools: [] };
/** Commands that the runs use and that other systems (BusyBox, macOS) lack or implement differently. */
const TOOLS = {
  timeout: "timeout --kill-after=5 5 true",
  find: "find . -maxdepth 0 -printf ''",
  sha256sum: "sha256sum </dev/null >/dev/null",
};
const MIB = 1024 ** 2;
const PROBE = "probe";
/** Commands that print one number, or nothing if the system lacks the file. */
const RESOURCES = {
  processors: "nproc",
  quota: `awk '$1 != "max" { print int($1 / $2) }' /sys/fs/cgroup/cpu.max`,
  availableKib: "awk '/^MemAvailable/ { print $2 }' /proc/meminfo",
  limit: "cat /sys/fs/cgroup/memory.max",
  used: "cat /sys/fs/cgroup/memory.current",
  // Cached files that are released when memory is short; a clone leaves many of them.
  reclaimable: "awk '/^inactive_file / { print $2 }' /sys/fs/cgroup/memory.stat",
};

/**
 * Determines by trial how runs can be isolated at `directory` of the place and which tools the place lacks. Also reads the
 * processors and the memory of the machine, or of the control group if that has less. If this fails, the result permits only one
 * run at a time. Rejects with WORKSPACE_LOST or the signal's reason.
 */
export async function lookAround(
  workspace: ReadyWorkspace,
  directory: string,
  { signal, remainingMs }: Patience,
): Promise<Surroundings> {
  const commandLines = [
    `mkdir -p -- ${shellQuote(directory)}/${PROBE}/run && cd -- ${shellQuote(directory)}/${PROBE} || exit 90`,
    `export ${HOME_OF_RUNS}=${shellQuote(directory)} ${HOME_OF_USER}="$HOME"; ${chooseWayApart("way")} || exit 91`,
    `printf '%s\\n' "$way"`,
    `cd .. && rm -rf ${PROBE}`,
    ...Object.entries(TOOLS).map(([name, line]) => `${line} 2>/dev/null || echo 'missing ${name}'`),
    ...Object.entries(RESOURCES).map(([name, line]) => `printf '%s\\n' "${name} $(${line} 2>/dev/null)"`),
  ];
  const result = await workspace.exec(commandLines.join("\n"), { timeoutMs: remainingMs(), signal });
  signal.throwIfAborted();
  if (result.type === "transport-lost") throw connectionLost("prepare the runs");
  if (result.type !== "exited" || result.exitCode !== 0) return NOTHING_KNOWN;
  const [way = "", ...lines] = Buffer.from(result.stdout).toString().split("\n");
  const numbers = numbersIn(lines);
  const { limit = Number.POSITIVE_INFINITY, used = 0, reclaimable = 0, availableKib = 0 } = numbers;
  const left = limit - Math.max(0, used - reclaimable);
  return {
    apart: WAYS_APART.find((one) => one === way) ?? "",
    cores: Math.max(1, Math.min(numbers.processors ?? 1, numbers.quota ?? Number.POSITIVE_INFINITY)),
    freeMemoryMb: Math.max(0, Math.floor(Math.min(availableKib * 1024, left) / MIB)),
    missingTools: Object.keys(TOOLS).filter((name) => lines.includes(`missing ${name}`)),
  };
}

/** Parses lines that consist of a name and a number; ignores other lines. */
function numbersIn(lines: readonly string[]): Partial<Record<keyof typeof RESOURCES, number>> {
  const found = lines.flatMap((line) => {
    const [, name = "", number] = /^(\w+) (\d+)$/.exec(line) ?? [];
    return number === undefined ? [] : [[name, Number(number)]];
  });
  return Object.fromEntries(found) as Partial<Record<keyof typeof RESOURCES, number>>;
}
