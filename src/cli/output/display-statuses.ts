import type { Clock } from "agent-tty/kit";
import { readRuns, type Store } from "../../store/index.ts";

/** The Display Status of each running Triage Run by `owner/repo#n`, derived on read (O3). */
export type DisplayStatuses = ReadonlyMap<string, { symbol: string; displayStatus: string }>;

/** Returns the Display Statuses; none if the store cannot be read, so that the batch continues. */
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
