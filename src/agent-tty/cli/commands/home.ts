import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isSessionId, openHomeRegistry } from "../../home/index.ts";
import { countOf, systemClock } from "../../kit/index.ts";
import type { CommandResult } from "../report.ts";
import { inert } from "../inert.ts";

/** Lists every home that this user's commands have used, with the number of its Sessions now. */
export async function homeList(): Promise<CommandResult> {
  const homes = await Promise.all(
    (await openHomeRegistry(systemClock).list()).map(async ({ directory, firstUsedAt }) => {
      return { directory, firstUsedAt, sessions: await countSessions(directory) };
    }),
  );
  const lines = homes.map(
    ({ directory, firstUsedAt, sessions }) =>
      `${inert(directory)}  ${sessions === null ? "gone" : countOf(sessions, "Session")}  since ${firstUsedAt}`,
  );
  return { result: { homes }, text: lines.join("\n") || "no homes" };
}

/** Removes a home from the list. The home itself is not changed. */
export async function homeForget(directory: string): Promise<CommandResult> {
  const path = resolve(directory);
  const wasKnown = await openHomeRegistry(systemClock).forget(path);
  return {
    result: { directory: path, forgotten: wasKnown },
    text: wasKnown ? `forgot ${inert(path)}` : `${inert(path)} was not known`,
  };
}

/** Returns the number of Sessions in a home, or null if the home no longer exists. */
async function countSessions(directory: string): Promise<number | null> {
  const names = await readdir(join(directory, "sessions")).catch(() => null);
  return names === null ? null : names.filter(isSessionId).length;
}
