import { hasOwnFiles } from "./apart.ts";
import type { Surroundings } from "./surroundings.ts";

/** More runs at a time would hardly end sooner: seven are the usual number of all. */
const MAX_DESKS = 4;
/** The memory of a node program with its tools. */
const MEMORY_OF_RUN_MB = 512;

/**
 * How many runs of one verification take place at a time: one for each processor, bounded by memory. Only one where the
 * machine cannot hide the files of one run from another, or where `isDelicate` says that the script depends on chance or time.
 */
export function planDesks(
  { apart, cores, freeMemoryMb }: Omit<Surroundings, "missingTools">,
  isDelicate: boolean,
): number {
  if (isDelicate || !hasOwnFiles(apart)) return 1;
  return Math.max(1, Math.min(cores, Math.floor(freeMemoryMb / MEMORY_OF_RUN_MB), MAX_DESKS));
}
