import type { Clock, Ids } from "agent-tty/kit";
import { openStore } from "../store/index.ts";
import { recogniseTool } from "../tui/index.ts";
import { storePath, openHomeDirectories } from "../home/index.ts";

/** The number of runs to read. Older runs may have used another version of the Coder template. */
const LOOKED_AT = 20;

/**
 * Returns the version of a coding TUI in the newest Session of this home that ran it; null if no Session of the newest `LOOKED_AT`
 * runs shows one.
 */
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
    // A Session that is no longer kept has no version.
    const seen = await recogniseTool(sessions, sessionId, wish).catch(() => null);
    if (seen?.tool === tool && seen.observedVersion !== null) return seen.observedVersion;
  }
  return null;
}
