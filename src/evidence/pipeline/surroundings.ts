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
}

const NOTHING_KNOWN: Surroundings = { apart: "", cores: 1, freeMemoryMb: 0 };
const MIB = 1024 ** 2;
const PROBE = "probe";
/** Each number on a line of its own, empty where the system has no such file. */
const RESOURCES = [
  "nproc 2>/dev/null || echo 1",
  `awk '$1 != "max" { print int($1 / $2) }' /sys/fs/cgroup/cpu.max 2>/dev/null; echo`,
  `awk '/^MemAvailable/ { print $2 }' /proc/meminfo 2>/dev/null; echo`,
  "cat /sys/fs/cgroup/memory.max 2>/dev/null; echo",
  "cat /sys/fs/cgroup/memory.current 2>/dev/null; echo",
];

/**
 * Finds out by trying how runs can be kept apart at `directory` of the place, and reads its processors and memory: those of
 * the control group where that is less than the machine's. Where the look fails, one run at a
 * time is what is left. Rejects with WORKSPACE_LOST or the signal's reason.
 */
export async function lookAround(
  workspace: ReadyWorkspace,
  directory: string,
  { signal, remainingMs }: Patience,
): Promise<Surroundings> {
  const lines = [
    `mkdir -p -- ${shellQuote(directory)}/${PROBE}/run && cd -- ${shellQuote(directory)}/${PROBE} || exit 90`,
    `export ${HOME_OF_RUNS}=${shellQuote(directory)} ${HOME_OF_USER}="$HOME"; ${chooseWayApart("way")} || exit 91`,
    `printf '%s\\n' "$way"`,
    `cd .. && rm -rf ${PROBE}`,
    ...RESOURCES.map((line) => `printf '%s\\n' "$(${line})"`),
  ];
  const result = await workspace.exec(lines.join("\n"), { timeoutMs: remainingMs(), signal });
  signal.throwIfAborted();
  if (result.type === "transport-lost") throw connectionLost("prepare the runs");
  if (result.type !== "exited" || result.exitCode !== 0) return NOTHING_KNOWN;
  const [way = "", ...resources] = Buffer.from(result.stdout).toString().split("\n");
  const [cores, quota, availableKib, limit, used] = resources.map(numberIn);
  const left = limit === undefined ? Number.POSITIVE_INFINITY : limit - (used ?? 0);
  return {
    apart: WAYS_APART.find((one) => one === way) ?? "",
    cores: Math.max(1, Math.min(cores ?? 1, quota ?? Number.POSITIVE_INFINITY)),
    freeMemoryMb: Math.max(0, Math.floor(Math.min((availableKib ?? 0) * 1024, left) / MIB)),
  };
}

function numberIn(text: string): number | undefined {
  return /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}
