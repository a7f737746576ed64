import { readFileSync } from "node:fs";
import { type ProcessRow, processTable } from "./process-table.ts";

/**
 * An environment variable of a Session's program, inherited by all its descendants; it identifies them even after they leave the
 * process group.
 */
export const SESSION_MARKER = "AGENT_TTY_SESSION_ID";

/**
 * Returns every living process of this user that a Session's program started, except this process. Processes older than the
 * program, which started at `sinceTicks`, cannot belong to it; they are skipped, because reading an environment from the kernel
 * is slow. Linux only.
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

/** For each row, the marker that its process has, or null if it has none. */
const carried = new WeakMap<ProcessRow, string | null>();

function markerOfRow(row: ProcessRow): string | null {
  const known = carried.get(row);
  if (known !== undefined) return known;
  const marker = markerOf(row.pid);
  // A process started by a marked one is marked from the start. A child of this process may not have executed its program yet, so
  // its missing marker is not remembered.
  if (marker !== null || row.parentPid !== process.pid) carried.set(row, marker);
  return marker;
}

/** Returns the id of the Session in which a process was started, or null if there is none or this user may not read it. */
export function markerOf(pid: number): string | null {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
    const entry = environment.split("\0").find((text) => text.startsWith(`${SESSION_MARKER}=`));
    return entry?.slice(SESSION_MARKER.length + 1) ?? null;
  } catch {
    return null;
  }
}
