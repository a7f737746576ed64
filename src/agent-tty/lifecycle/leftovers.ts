import { join } from "node:path";
import { isSessionId, readManifestFile, STATUS_POLICY } from "../home/index.ts";
import { markerOf, type ProcessRow, processTable } from "../processes/index.ts";

export interface Leftover {
  pid: number;
  sessionId: string;
}

/**
 * Returns the processes that were started in a Session that is over or that none of the homes has, sorted by pid. A Session that
 * is in none of the homes is skipped if one of its processes still has a living host as its parent, because it belongs to another
 * home. Linux only.
 */
export function leftovers(homes: readonly string[]): Leftover[] {
  return [...processesBySession()]
    .filter(([sessionId, rows]) => isSessionId(sessionId) && isOver(homes, sessionId, rows))
    .flatMap(([sessionId, rows]) => rows.map(({ pid }) => ({ pid, sessionId })))
    .toSorted((one, other) => one.pid - other.pid);
}

/** Returns every living process that was started in a Session, by Session. Linux only. */
export function processesBySession(): Map<string, ProcessRow[]> {
  const found = new Map<string, ProcessRow[]>();
  for (const row of processTable()) {
    const sessionId = row.isZombie ? null : markerOf(row.pid);
    if (sessionId !== null) found.set(sessionId, [...(found.get(sessionId) ?? []), row]);
  }
  return found;
}

function isOver(homes: readonly string[], sessionId: string, rows: readonly ProcessRow[]): boolean {
  const known = new Set(homes.map((home) => activityIn(home, sessionId)));
  if (known.has("active")) return false;
  return known.has("over") || !hasHost(rows);
}

/** Returns whether one of the processes has a parent outside the Session other than pid 1, which inherits orphans. */
function hasHost(rows: readonly ProcessRow[]): boolean {
  const own = new Set(rows.map(({ pid }) => pid));
  return rows.some(({ parentPid }) => parentPid > 1 && !own.has(parentPid));
}

/** Returns the activity of a Session in a home. A Session whose manifest cannot be read counts as active. */
function activityIn(home: string, sessionId: string): "active" | "over" | "unknown" {
  try {
    const manifest = readManifestFile(join(home, "sessions", sessionId, "session.json"));
    if (manifest === null) return "unknown";
    return STATUS_POLICY[manifest.status].active ? "active" : "over";
  } catch {
    return "active";
  }
}
