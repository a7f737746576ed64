import type { Home } from "../home/index.ts";
import { type CheckpointFrame, findCheckpoints, type LoggedEvent, readEvents } from "../log/index.ts";

/** The last event at or before a time. */
export interface Moment {
  /** 0: no event is that early. */
  seq: number;
  /** Milliseconds since the Session's start. */
  tMs: number;
}

/**
 * Returns the last event of a Session up to `tMs` milliseconds after its start (Infinity: the last event). It reads the Event Log
 * only between two checkpoints, however long the log is.
 */
export async function findMoment(home: Home, sessionId: string, tMs: number): Promise<Moment> {
  const directory = home.sessionDirectory(sessionId);
  const checkpoint = await checkpointBefore(directory, tMs);
  let moment: Moment = { seq: 0, tMs: 0 };
  for await (const { record } of readEvents(directory, {
    startOffset: checkpoint?.eventsBytes ?? 0,
    readsOutput: false,
  })) {
    if (record.t > tMs) break;
    moment = { seq: record.seq, tMs: record.t };
  }
  return moment;
}

/** Yields the events from `seq` on. It reads the Event Log only from the last checkpoint before `seq`. */
export async function* eventsFrom(
  home: Home,
  sessionId: string,
  seq: number,
): AsyncGenerator<LoggedEvent, void, undefined> {
  const directory = home.sessionDirectory(sessionId);
  const [checkpoint] = await findCheckpoints(directory, seq - 1);
  yield* readEvents(directory, { startOffset: checkpoint?.eventsBytes ?? 0, fromSeq: seq });
}

/** Returns the last checkpoint whose next event is not later than `tMs`; undefined if there is none. */
async function checkpointBefore(directory: string, tMs: number): Promise<CheckpointFrame | undefined> {
  const ascending = (await findCheckpoints(directory, Number.MAX_SAFE_INTEGER)).toReversed();
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const t = await timeAt(directory, ascending[middle]?.eventsBytes ?? 0);
    if (t !== null && t <= tMs) from = middle + 1;
    else to = middle;
  }
  return ascending[from - 1];
}

/** Returns the time of the event at this byte offset in all events; null at the end of the log. */
async function timeAt(directory: string, startOffset: number): Promise<number | null> {
  for await (const { record } of readEvents(directory, { startOffset, readsOutput: false })) return record.t;
  return null;
}
