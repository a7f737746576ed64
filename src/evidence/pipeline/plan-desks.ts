import { hasOwnFiles } from "./apart.ts";
import type { Surroundings } from "./surroundings.ts";

/** The maximum number of desks. A verification usually has seven runs, so more desks would hardly make it faster. */
const MAX_DESKS = 4;
/** The memory that a Node.js program with its tools needs, in MiB. */
const MEMORY_OF_RUN_MB = 512;

/**
 * Returns how many runs of one verification take place at a time: one per processor, limited by memory. Returns 1 if the machine
 * cannot hide the files of one run from another, or if the script depends on chance or time (`isDelicate`).
 */
export function planDesks(
  { apart, cores, freeMemoryMb }: Omit<Surroundings, "missingTools">,
  isDelicate: boolean,
): number {
  if (isDelicate || !hasOwnFiles(apart)) return 1;
  return Math.max(1, Math.min(cores, Math.floor(freeMemoryMb / MEMORY_OF_RUN_MB), MAX_DESKS));
}
