import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Home, makerOfUnfinished } from "./home.ts";
import { isHostRunning } from "./session-liveness.ts";
import { readOwner } from "./session-owner.ts";

/**
 * Removes temporary files of killed hosts: unfinished Session directories, and single files in Sessions. The files of a living
 * host are kept.
 */
export async function removeUnfinishedFiles({ directory }: Pick<Home, "directory">): Promise<void> {
  const sessions = join(directory, "sessions");
  for (const name of await readdir(sessions).catch(() => [])) {
    const session = join(sessions, name);
    const maker = makerOfUnfinished(name);
    if (maker !== null) {
      if (!isHostRunning(maker)) await rm(session, { recursive: true, force: true });
      continue;
    }
    const files = await readdir(session, { recursive: true }).catch(() => []);
    const unfinished = files.filter((file) => file.endsWith(".tmp"));
    if (unfinished.length === 0) continue;
    const owner = readOwner(session);
    if (owner === null || isHostRunning(owner)) continue;
    await Promise.all(unfinished.map((file) => rm(join(session, file), { force: true })));
  }
}
