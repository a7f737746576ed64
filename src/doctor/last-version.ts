import type { Clock, Ids } from "agent-tty/kit";
import { openStore } from "../store/index.ts";
import { recogniseTool } from "../tui/index.ts";
import { storePath, openHomeDirectories } from "../home/index.ts";

/** Older runs than this many say nothing about the template of today. */
const LOOKED_AT = 20;

/** The version of a coding TUI in the newest Session of this home that ran it; null when none tells one. */
export async function lastVersion(
  home: string,
  tool: string,
  ports: { clock: Clock; ids: Ids },
): Promise<string | null> {
  const { sessions } = await openHomeDirectories(home, ports);
  using store = await openStore({ path: storePath(home), clock: ports.clock });
  for (const { sessionId } of store.recentRuns(LOOKED_AT, null)) {
    if (sessionId === null) continue;
    const wish = { tool: null, observedVersion: null };
    // A Session that is no longer kept tells nothing.
    const seen = await recogniseTool(sessions, sessionId, wish).catch(() => null);
    if (seen?.tool === tool && seen.observedVersion !== null) return seen.observedVersion;
  }
  return null;
}
