import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { OperationalError } from "agent-tty/kit";
import type { HomeErrorCode } from "./home-error.ts";

/**
 * S17: called before anything is created in the home. The home and every directory in it must be real directories that this user
 * owns. Through a link, recordings would be written to its target. The store checks files and the home's own mode.
 */
export async function refuseForeignDirectories(home: string): Promise<void> {
  await refuseForeign(home);
  for (const entry of await readdir(home, { withFileTypes: true })) {
    if (entry.isDirectory() || entry.isSymbolicLink()) await refuseForeign(join(home, entry.name));
  }
}

async function refuseForeign(path: string): Promise<void> {
  const facts = await lstat(path);
  const user = process.getuid?.() ?? facts.uid;
  if (facts.isSymbolicLink()) throw unsafe(path, "it is a symbolic link");
  if (facts.uid !== user) throw unsafe(path, `it belongs to user ${facts.uid}, not to ${user}`);
}

function unsafe(path: string, seen: string): OperationalError<HomeErrorCode> {
  return new OperationalError<HomeErrorCode>({
    code: "HOME_UNSAFE",
    message: `use ${path}: ${seen}`,
    remedy:
      "With --home or AFK_TRIAGE_HOME, choose a directory that you own and whose path has no symbolic links.",
    details: { path },
  });
}
