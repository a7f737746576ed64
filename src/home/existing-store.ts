import { existsSync, statSync } from "node:fs";
import { OperationalError } from "agent-tty/kit";
import type { HomeErrorCode } from "./home-error.ts";
import { storePath } from "./home-paths.ts";

/**
 * The path of a home's store for those who only look: looking must not make a home. null: there is no store, so there are no runs.
 * Throws HOME_UNWRITABLE where the home is no directory.
 */
export function existingStorePath(home: string): string | null {
  if (statSync(home, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new OperationalError<HomeErrorCode>({
      code: "HOME_UNWRITABLE",
      message: `look into the home ${home}: it is not a directory`,
      remedy: "Name a directory you may write with --home or AFK_TRIAGE_HOME.",
    });
  const path = storePath(home);
  return existsSync(path) ? path : null;
}
