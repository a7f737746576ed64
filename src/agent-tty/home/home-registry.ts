import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import * as z from "zod/mini";
import type { Clock } from "../kit/index.ts";
import { ensurePrivateDirectory, PRIVATE_FILE_MODE } from "./private-files.ts";

const entrySchema = z.object({ directory: z.string(), firstUsedAt: z.iso.datetime() });

export type RegisteredHome = z.infer<typeof entrySchema>;

/** Every home that a command of this user has used. Each has its own small file, so that concurrent commands cannot lose one. */
export interface HomeRegistry {
  /** Does nothing for a home that is already known. */
  remember(home: string): Promise<void>;
  /** Oldest first; a file that cannot be read is skipped. */
  list(): Promise<RegisteredHome[]>;
  /** Returns false if it was not known. The home itself is kept. */
  forget(home: string): Promise<boolean>;
}

/** Opens the registry. It is always in the user's default home, even if the registered homes are elsewhere. */
export function openHomeRegistry(clock: Clock, defaultHome = join(homedir(), ".agent-tty")): HomeRegistry {
  const directory = join(defaultHome, "homes");
  const fileOf = (home: string): string => {
    const name = createHash("sha256").update(resolve(home)).digest("hex").slice(0, 32);
    return join(directory, `${name}.json`);
  };
  return {
    remember: async (home) => {
      if (await exists(fileOf(home))) return;
      await ensurePrivateDirectory(defaultHome);
      await ensurePrivateDirectory(directory);
      const entry = { directory: resolve(home), firstUsedAt: new Date(clock.nowMs()).toISOString() };
      const options = { mode: PRIVATE_FILE_MODE, flag: "wx" };
      await writeFile(fileOf(home), JSON.stringify(entry), options).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
    },
    list: async () => {
      const names = await readdir(directory).catch(() => []);
      const entries = await Promise.all(names.map((name) => readEntry(join(directory, name))));
      return entries
        .filter((entry) => entry !== null)
        .toSorted((one, other) => (one.firstUsedAt < other.firstUsedAt ? -1 : 1));
    },
    forget: async (home) => {
      const isKnown = await exists(fileOf(home));
      await rm(fileOf(home), { force: true });
      return isKnown;
    },
  };
}

async function readEntry(path: string): Promise<RegisteredHome | null> {
  try {
    return entrySchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null;
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
