import { shellQuote } from "agent-tty/kit";
import type { ReadyWorkspace } from "../../workspaces/index.ts";
import type { Patience } from "../place.ts";
import { chooseWayApart, HOME_OF_RUNS, HOME_OF_USER, WAYS_APART } from "./apart.ts";
import { connectionLost } from "./connection-lost.ts";

/** The permissions and tools of the machine of a place. */
export interface Surroundings {
  /** The command that isolates one run; empty: the machine permits none. */
  readonly apart: string;
  /** The number of processors that the place may use. */
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
};
const MIB = 1024 ** 2;
const PROBE = "probe";
type Resource = "processors" | "quota" | "availableKib" | "limit" | "used" | "reclaimable";

/**
 * Shell lines that print the name of a resource and its number, or nothing if the system lacks the file. The shell reads the files
 * itself: a program for each takes milliseconds.
 */
const RESOURCES = [
  `say() { printf '%s\\n' "$*"; }`,
  `say processors $(nproc 2>/dev/null)`,
  `{ read -r one all < /sys/fs/cgroup/cpu.max && [ "$one" != max ] && say quota $((one / all)); } 2>/dev/null`,
  field("availableKib", "MemAvailable:", "/proc/meminfo"),
  `{ read -r one < /sys/fs/cgroup/memory.max && say limit "$one"; } 2>/dev/null`,
  `{ read -r one < /sys/fs/cgroup/memory.current && say used "$one"; } 2>/dev/null`,
  // Cached files that are released when memory is short; a clone leaves many of them.
  field("reclaimable", "inactive_file", "/sys/fs/cgroup/memory.stat"),
  "true",
];

function field(name: Resource, key: string, file: string): string {
  return `{ while read -r key one unit; do [ "$key" != ${key} ] || say ${name} "$one"; done < ${file}; } 2>/dev/null`;
}

/**
 * Returns how runs can be isolated at `directory` of the place and which tools the place lacks, determined by trial, with the
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
    ...RESOURCES,
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

/** Returns the numbers in lines that consist of a name and a number; ignores other lines. */
function numbersIn(lines: readonly string[]): Partial<Record<Resource, number>> {
  const found = lines.flatMap((line) => {
    const [, name = "", number] = /^(\w+) (\d+)$/.exec(line) ?? [];
    return number === undefined ? [] : [[name, Number(number)]];
  });
  return Object.fromEntries(found) as Partial<Record<Resource, number>>;
}
