import { type ReadyWorkspace, shellQuote } from "../../workspaces/index.ts";
import type { Patience } from "../place.ts";
import { chooseWayApart, HOME_OF_RUNS, HOME_OF_USER, WAYS_APART } from "./apart.ts";
import { connectionLost } from "./connection-lost.ts";

/** The permissions and tools of the machine of a place. */
export interface Surroundings {
  /** The command that keeps one run apart; empty: the machine permits none. */
  readonly apart: string;
  /** Processors that the place may use. */
  readonly cores: number;
  /** Memory that programs could still take. */
  readonly freeMemoryMb: number;
  /** Tools that runs cannot do without and that do not work here as those of GNU do. */
  readonly missingTools: readonly string[];
}

const NOTHING_KNOWN: Surroundings = { apart: "", cores: 1, freeMemoryMb: 0, missingTools: [] };
/** What the runs use that other systems lack or have in another form (BusyBox, macOS). */
const TOOLS = {
  timeout: "timeout --kill-after=5 5 true",
  find: "find . -maxdepth 0 -printf ''",
  sha256sum: "sha256sum </dev/null >/dev/null",
};
const MIB = 1024 ** 2;
const PROBE = "probe";
/** Commands that print one number, or nothing where the system has no such file. */
const RESOURCES = {
  processors: "nproc",
  quota: `awk '$1 != "max" { print int($1 / $2) }' /sys/fs/cgroup/cpu.max`,
  availableKib: "awk '/^MemAvailable/ { print $2 }' /proc/meminfo",
  limit: "cat /sys/fs/cgroup/memory.max",
  used: "cat /sys/fs/cgroup/memory.current",
  // Files that were read once and are kept until memory is short: a clone leaves much of it.
  reclaimable: "awk '/^inactive_file / { print $2 }' /sys/fs/cgroup/memory.stat",
};

/**
 * Finds out by trying how runs can be kept apart at `directory` of the place and which tools it lacks, and reads its processors and
 * memory: those of the control group where that is less than the machine's. Where the look fails, one run at a
 * time is what is left. Rejects with WORKSPACE_LOST or the signal's reason.
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

/** Of lines with a name and a number each; other lines are left out. */
function numbersIn(lines: readonly string[]): Partial<Record<keyof typeof RESOURCES, number>> {
  const found = lines.flatMap((line) => {
    const [, name = "", number] = /^(\w+) (\d+)$/.exec(line) ?? [];
    return number === undefined ? [] : [[name, Number(number)]];
  });
  return Object.fromEntries(found) as Partial<Record<keyof typeof RESOURCES, number>>;
}
