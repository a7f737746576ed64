import { type Home, isHostRunning, STATUS_POLICY } from "../../home/index.ts";
import { raceSignal, startDeadline } from "../../kit/index.ts";
import type { CommandResult } from "../report.ts";
import { type HostingArguments, hostingOf, startInHost } from "./start-in-host.ts";

/** How long to wait for the last host of an exited Session: it writes what is left and ends on its own. */
const FAREWELL_MS = 5_000;
const LOOK_EVERY_MS = 10;

/** Starts the program of an exited Session again, in the same Session after a separator (L11) and in a new host process. */
export async function restart(
  home: Home,
  sessionId: string,
  options: HostingArguments,
): Promise<CommandResult> {
  await lastHostGone(home, sessionId);
  const started = await startInHost(home, { type: "restart", sessionId, ...hostingOf(options) });
  const { cols, rows, name } = await home.readManifest(sessionId);
  return { result: { ...started, cols, rows, name }, text: started.sessionId };
}

/** Waits until the last host has ended. If it does not end in time, the restart itself refuses and reports that. */
async function lastHostGone(home: Home, sessionId: string): Promise<void> {
  const manifest = await home.readManifest(sessionId);
  if (STATUS_POLICY[manifest.status].active) return;
  using deadline = startDeadline(home.clock, "the end of the last host", FAREWELL_MS);
  const gone = async (): Promise<void> => {
    while (isHostRunning(manifest)) await home.clock.sleep(LOOK_EVERY_MS, deadline.signal);
  };
  await raceSignal(gone(), deadline.signal).catch(() => undefined);
}
