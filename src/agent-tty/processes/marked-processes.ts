import { readFileSync } from "node:fs";
import { type ProcessRow, processTable } from "./process-table.ts";

/** In the environment of a Session's program, and so of all that it starts: tells them wherever they moved. */
export const SESSION_MARKER = "AGENT_TTY_SESSION_ID";

/**
 * Linux: every living process of this user that a Session's program started, without this process. What is older than the
 * program, which began at `sinceTicks`, cannot be of it; the kernel tells an environment slowly, so none of those is asked for.
 */
export function markedProcesses(
  { sessionId, sinceTicks }: { sessionId: string; sinceTicks: string },
  table: readonly ProcessRow[] = processTable(),
): ProcessRow[] {
  const since = Number(sinceTicks);
  return table.filter(
    (row) =>
      row.pid !== process.pid &&
      !row.isZombie &&
      Number(row.startTicks) >= since &&
      markerOfRow(row) === sessionId,
  );
}

/** The marker that a row's process was found to carry, or that it carries none. */
const carried = new WeakMap<ProcessRow, string | null>();

function markerOfRow(row: ProcessRow): string | null {
  const known = carried.get(row);
  if (known !== undefined) return known;
  const marker = markerOf(row.pid);
  // What a marked process starts is marked from its first moment. A child of this one may not have become its program yet.
  if (marker !== null || row.parentPid !== process.pid) carried.set(row, marker);
  return marker;
}

/** The Session that a process was started in; null when in none, or when it is not ours to read. */
export function markerOf(pid: number): string | null {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
    const entry = environment.split("\0").find((text) => text.startsWith(`${SESSION_MARKER}=`));
    return entry?.slice(SESSION_MARKER.length + 1) ?? null;
  } catch {
    return null;
  }
}
