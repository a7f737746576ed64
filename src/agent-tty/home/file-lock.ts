import { readlinkSync, renameSync, symlinkSync, unlinkSync } from "node:fs";
import type { Home } from "./home.ts";
import { isHostRunning, ownHostIdentity } from "./session-liveness.ts";

const TRIED_EVERY_MS = 2;

/**
 * Runs `work` while no other holder has the same lock, in this process or another. The lock is a symbolic link whose target names
 * its holder, so that creating it and naming the holder are one step. The lock of a dead process is removed.
 */
export async function withFileLock<Result>(
  { clock, ids }: Pick<Home, "clock" | "ids">,
  path: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { hostPid, hostStartTicks } = ownHostIdentity();
  while (!isMade(path, `${hostPid}.${hostStartTicks ?? "none"}`)) {
    removeAbandoned(path, `${path}.${ids.hex(8)}`);
    await clock.sleep(TRIED_EVERY_MS);
  }
  try {
    return await work();
  } finally {
    unlinkSync(path);
  }
}

function isMade(path: string, holder: string): boolean {
  try {
    symlinkSync(holder, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes the lock of a dead process. It is renamed first, so that only one process succeeds; if it turns out to be a new lock,
 * it is renamed back.
 */
function removeAbandoned(path: string, aside: string): void {
  const holder = holderOf(path);
  if (holder === null || isRunning(holder)) return;
  try {
    renameSync(path, aside);
    if (holderOf(aside) === holder) unlinkSync(aside);
    else renameSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function holderOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function isRunning(holder: string): boolean {
  const [pid, ticks] = holder.split(".");
  return isHostRunning({
    hostPid: Number(pid),
    hostStartTicks: ticks === undefined || ticks === "none" ? null : ticks,
  });
}
