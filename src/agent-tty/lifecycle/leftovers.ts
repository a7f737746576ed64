import { join } from "node:path";
import { isSessionId, readManifestFile, STATUS_POLICY } from "../home/index.ts";
import { markerOf, type ProcessRow, processTable } from "../pty/index.ts";

export interface Leftover {
  pid: number;
  sessionId: string;
}

/** Linux: processes started in a Session that is over or that none of the homes knows any more, sorted by pid. */
export function leftovers(homes: readonly string[]): Leftover[] {
  const isActive = new Map<string, boolean>();
  return processTable()
    .filter((row) => !row.isZombie)
    .flatMap(({ pid }) => {
      const sessionId = markerOf(pid);
      if (sessionId === null || !isSessionId(sessionId)) return [];
      if (!isActive.has(sessionId)) isActive.set(sessionId, isActiveIn(homes, sessionId));
      return isActive.get(sessionId) === true ? [] : [{ pid, sessionId }];
    });
}

/** Linux: every living process that was started in a Session, by Session. */
export function processesBySession(): Map<string, ProcessRow[]> {
  const found = new Map<string, ProcessRow[]>();
  for (const row of processTable()) {
    const sessionId = row.isZombie ? null : markerOf(row.pid);
    if (sessionId !== null) found.set(sessionId, [...(found.get(sessionId) ?? []), row]);
  }
  return found;
}

/** A manifest that cannot be read speaks for its Session. */
function isActiveIn(homes: readonly string[], sessionId: string): boolean {
  return homes.some((home) => {
    try {
      const manifest = readManifestFile(join(home, "sessions", sessionId, "session.json"));
      return manifest !== null && STATUS_POLICY[manifest.status].active;
    } catch {
      return true;
    }
  });
}
