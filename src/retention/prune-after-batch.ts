import { messageOf } from "agent-tty/kit";
import type { BatchObserver } from "../triage/index.ts";
import type { ProgramHome } from "../home/index.ts";
import type { RetentionLimits } from "./plan-retention.ts";
import { isRetentionOff, pruneHome, type PrunePorts, type PruneResult } from "./prune-home.ts";

/**
 * Prunes the home at the end of a batch. A failure is reported as a warning and never fails the batch; after a stop, the next
 * batch prunes instead.
 */
export async function pruneAfterBatch(
  limits: RetentionLimits,
  { home, ...ports }: PrunePorts & { home: ProgramHome },
  observe: BatchObserver,
  stop: AbortSignal,
): Promise<void> {
  if (isRetentionOff(limits) || stop.aborted) return;
  try {
    observe({ type: "pruned", ...countsOf(await pruneHome(home, limits, ports, { isDryRun: false }, stop)) });
  } catch (error) {
    observe({ type: "warning", message: `old files of the home were not removed: ${messageOf(error)}` });
  }
}

/** Returns the counts of a prune pass; for a dry run, the counts that it would have. Sizes are in bytes. */
export function countsOf({ plan, applied }: PruneResult) {
  const removed = applied?.removed ?? plan.remove.map(({ unit }) => unit);
  const freedBytes = removed.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    removed: removed.length,
    failed: applied?.failed.length ?? 0,
    freedBytes,
    leftBytes: plan.bytesBefore - freedBytes,
  };
}
