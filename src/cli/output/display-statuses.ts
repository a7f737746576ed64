import type { Clock } from "agent-tty/kit";
import { readRuns, type Store } from "../../store/index.ts";

/** By `owner/repo#n`: what a Triage Run under way shows, derived when it is asked (O3). */
export type DisplayStatuses = ReadonlyMap<string, { symbol: string; displayStatus: string }>;

/** A store that cannot be read just now costs a glance at it, not the batch. */
export function displayStatusesOf(store: Store, clock: Clock): DisplayStatuses {
  try {
    const rows = readRuns(store, clock.nowMs(), { type: "live" });
    return new Map(
      rows.map(({ key, displayStatus, indicator }) => [key, { symbol: indicator.symbol, displayStatus }]),
    );
  } catch {
    return new Map();
  }
}
