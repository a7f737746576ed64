import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Ids, writeFileAtomic } from "agent-tty/kit";
import { z } from "zod";
import type { UnitPlace } from "./plan-retention.ts";

const placeSchema = z.object({ changedAtMs: z.number(), path: z.string() });

/** Where the next pass goes on asking GitHub. Failures do not matter: without it a pass begins with the oldest files. */
export interface PrunePlace {
  /** null: with the oldest files. */
  read(): Promise<UnitPlace | null>;
  write(place: UnitPlace | null): Promise<void>;
}

/** Keeps the place in a file of the home `directory`. */
export function openPrunePlace(directory: string, ids: Ids): PrunePlace {
  const file = join(directory, "prune-place.json");
  return {
    read: async () => {
      try {
        return placeSchema.parse(JSON.parse(await readFile(file, "utf8")));
      } catch {
        return null;
      }
    },
    write: async (place) => {
      const writing =
        place === null ? rm(file, { force: true }) : writeFileAtomic(file, JSON.stringify(place), ids.hex(8));
      await writing.catch(() => undefined);
    },
  };
}
