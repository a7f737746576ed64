import type { Home } from "../home/index.ts";
import { type EventRecord, type LoggedEvent, readEvents } from "../log/index.ts";
import { createScreen, type DetailedSnapshot } from "../screen/index.ts";
import { render } from "./replay.ts";

export interface ReplayedEvent {
  record: EventRecord;
  /** When the next event comes, in milliseconds since the Session's start; null: this is the last. */
  nextMs: number | null;
  /** The screen once this event had happened. Only until the next one is asked for. */
  detailedSnapshot: () => DetailedSnapshot;
}

/** A7: a Session from its start, event by event. Rejects as `replaySession` does. */
export async function* replayEvents(
  home: Home,
  sessionId: string,
): AsyncGenerator<ReplayedEvent, void, undefined> {
  const manifest = await home.readManifest(sessionId);
  let screen = createScreen(manifest);
  try {
    let waiting: LoggedEvent | null = null;
    const next = (event: LoggedEvent, nextMs: number | null): ReplayedEvent => {
      screen = render(screen, event);
      return { record: event.record, nextMs, detailedSnapshot: () => screen.detailedSnapshot() };
    };
    for await (const event of readEvents(home.sessionDirectory(sessionId))) {
      if (waiting !== null) yield next(waiting, event.record.t);
      waiting = event;
    }
    if (waiting !== null) yield next(waiting, null);
  } finally {
    screen[Symbol.dispose]();
  }
}
