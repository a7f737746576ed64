import type { Home } from "../home/index.ts";
import { type EventRecord, type LoggedEvent, readEvents } from "../log/index.ts";
import { createScreen, type DetailedSnapshot } from "../screen/index.ts";
import { render } from "./replay.ts";

export interface ReplayedEvent {
  record: EventRecord;
  /** The time of the next event, in milliseconds since the Session's start; null: this is the last one. */
  nextMs: number | null;
  /** The screen after this event. Valid only until the next event is requested. */
  detailedSnapshot: () => DetailedSnapshot;
}

/**
 * Yields the events of a Session from its start, each with the screen after it, from the manifest and the Event Log alone (A7).
 * Rejects as `replaySession` does.
 */
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
