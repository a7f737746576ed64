import type { Clock } from "agent-tty/kit";
import type { FleetObserver } from "../fleet-event.ts";
import type { FollowedRepositories, FollowedRepository } from "../repositories/index.ts";

/** The interval at which GitHub is asked for installations while there are none, in milliseconds. */
const ASK_MS = 30_000;

/**
 * Returns the first followed repository. Waits until there is one, and reports the wait once. `follow` reads the App's
 * installations again. Rejects as `follow` does, or with the signal's reason.
 */
export async function awaitRepository(
  follow: (signal: AbortSignal) => Promise<void>,
  ports: { repositories: Pick<FollowedRepositories, "all">; observe: FleetObserver; clock: Clock },
  signal: AbortSignal,
): Promise<FollowedRepository> {
  const { repositories, observe, clock } = ports;
  for (let asked = 0; ; asked += 1) {
    await follow(signal);
    const [first] = await repositories.all();
    if (first !== undefined) return first;
    if (asked === 0) observe({ type: "no-installation", againMs: ASK_MS });
    await clock.sleep(ASK_MS, signal);
  }
}
