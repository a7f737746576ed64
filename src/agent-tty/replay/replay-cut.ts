import type { Home } from "../home/index.ts";
import { readEvents } from "../log/index.ts";
import { createScreen, type DetailedSnapshot, type ScreenState } from "../screen/index.ts";
import { openCheckpoint } from "./checkpoint.ts";
import { render } from "./replay.ts";

/** A screen at a position of the Event Log where later bytes have the same effect on an equal screen as they had on this one. */
export interface ReplayedCut {
  snapshot: DetailedSnapshot;
  /** null if no such position was found nearby: in the middle of a very long sequence. */
  state: ScreenState | null;
  /** The time of the last record on the screen, in milliseconds since the Session's start. */
  tMs: number;
}

/** A read of a terminal sometimes ends inside a sequence, but rarely twice in a row. */
const MAX_STEPS_BACK = 32;

/**
 * Returns the last cut up to `atSeq` (default: the end of the Event Log) that is not inside an escape sequence, a character or a
 * synchronized update. Rejects as `replaySession` does.
 */
export async function replayCut(
  home: Home,
  sessionId: string,
  atSeq = Number.MAX_SAFE_INTEGER,
): Promise<ReplayedCut> {
  let cut = await replayTo(home, sessionId, atSeq);
  const last = cut;
  for (let step = 0; cut.state === null && step < MAX_STEPS_BACK && cut.snapshot.seq > 1; step += 1) {
    cut = await replayTo(home, sessionId, cut.snapshot.seq - 1);
  }
  return cut.state === null ? last : cut;
}

async function replayTo(home: Home, sessionId: string, toSeq: number): Promise<ReplayedCut> {
  const manifest = await home.readManifest(sessionId);
  const directory = home.sessionDirectory(sessionId);
  const checkpoint = await openCheckpoint(directory, toSeq);
  let screen = checkpoint?.screen ?? createScreen(manifest);
  let tMs: number | null = null;
  try {
    const startOffset = checkpoint?.frame.eventsBytes ?? 0;
    for await (const event of readEvents(directory, { startOffset, toSeq })) {
      screen = render(screen, event);
      tMs = event.record.t;
    }
    const snapshot = screen.detailedSnapshot();
    return { snapshot, state: screen.state(), tMs: tMs ?? (await timeOf(directory, snapshot.seq)) };
  } finally {
    screen[Symbol.dispose]();
  }
}

/**
 * Returns the time of the event at a sequence, in milliseconds since the Session's start. Needed only if the checkpoint itself is
 * the cut.
 */
async function timeOf(directory: string, seq: number): Promise<number> {
  for await (const { record } of readEvents(directory, { fromSeq: seq, toSeq: seq })) return record.t;
  return 0;
}
