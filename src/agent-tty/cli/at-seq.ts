import type { Home } from "../home/index.ts";
import { OperationalError } from "../kit/index.ts";
import { readLastSeq } from "../log/index.ts";
import { askLiveHost } from "./live-host.ts";

/**
 * Resolves if the Session's Event Log has reached the event `atSeq`. Rejects with INVALID_INPUT if it has not, because the screen
 * at a future event is unknown.
 */
export async function requireEvent(home: Home, sessionId: string, atSeq: number): Promise<void> {
  await home.readManifest(sessionId);
  const { lastSeq: writtenSeq } = await readLastSeq(home.sessionDirectory(sessionId));
  if (atSeq <= writtenSeq) return;
  const live = await askLiveHost(home, sessionId, (host) => host.call({ method: "status" }));
  const lastSeq = Math.max(writtenSeq, live?.lastSeq ?? 0);
  if (atSeq <= lastSeq) return;
  throw new OperationalError({
    code: "INVALID_INPUT",
    message: `cannot show Session ${sessionId} at event ${atSeq}: its Event Log ends at ${lastSeq}`,
    remedy: "Give an earlier event, or leave --at-seq out for the last screen",
  });
}
