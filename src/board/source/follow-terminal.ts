import {
  followEvents,
  type Home,
  type LoggedEvent,
  outputBytesAfter,
  paintSession,
  readEvents,
  readLastSeq,
  sessionLiveness,
} from "agent-tty";
import type { TerminalFrame } from "../api/index.ts";
import type { TerminalReading } from "../server/index.ts";
import type { SourceLimits } from "./source-limits.ts";
import { frameOf, resetTo } from "./terminal-frame.ts";

/** The number of bytes of output between two checks of how far the reader is behind. */
const LOOK_EVERY_BYTES = 256 * 1024;

/**
 * Yields a Session's frames from the reader's position until the child has exited, its host is gone or the signal aborts. Events
 * are read only on demand, so a slow reader falls behind in the Event Log and fills no memory.
 */
export async function* followTerminal(
  home: Home,
  sessionId: string,
  { afterSeq, sessionId: seen, signal }: TerminalReading,
  limits: SourceLimits,
): AsyncGenerator<TerminalFrame, void, undefined> {
  // The run may have had another Session when the reader was connected before.
  const isSame = seen === null || seen === sessionId;
  let position = await startOf(home, sessionId, isSame ? afterSeq : null, limits);
  for (;;) {
    if (position.painted !== null) yield position.painted;
    const end = yield* framesFrom(home, sessionId, position.seq, { signal, limits });
    if (end === "ended" || signal.aborted) return;
    position = await paintedNow(home, sessionId);
  }
}

interface Position {
  painted: TerminalFrame | null;
  /** Only events after this sequence are sent. */
  seq: number;
}

async function startOf(
  home: Home,
  sessionId: string,
  afterSeq: number | null,
  { wholeBytes }: SourceLimits,
): Promise<Position> {
  const directory = home.sessionDirectory(sessionId);
  const isKnown = afterSeq !== null && afterSeq <= (await readLastSeq(directory)).lastSeq;
  if (isKnown) return { painted: null, seq: afterSeq };
  return (await outputBytesAfter(directory, 0)) <= wholeBytes
    ? { painted: null, seq: 0 }
    : paintedNow(home, sessionId);
}

async function paintedNow(home: Home, sessionId: string): Promise<Position> {
  const painting = await paintSession(home, sessionId);
  return { painted: resetTo(painting), seq: painting.seq };
}

async function* framesFrom(
  home: Home,
  sessionId: string,
  afterSeq: number,
  { signal, limits }: { signal: AbortSignal; limits: SourceLimits },
): AsyncGenerator<TerminalFrame, "ended" | "behind", undefined> {
  const directory = home.sessionDirectory(sessionId);
  let sinceLook = LOOK_EVERY_BYTES;
  for await (const event of eventsFrom(home, sessionId, afterSeq + 1, signal)) {
    const { record, bytes } = event;
    if (record.type === "output") {
      sinceLook += bytes.byteLength;
      if (sinceLook >= LOOK_EVERY_BYTES) {
        sinceLook = 0;
        if ((await outputBytesAfter(directory, record.offset)) > limits.behindBytes) return "behind";
      }
    }
    const frame = frameOf(event);
    if (frame !== null) yield frame;
  }
  return "ended";
}

/** Yields live events while the Session's host is alive, otherwise the events that it left. */
async function* eventsFrom(
  home: Home,
  sessionId: string,
  fromSeq: number,
  signal: AbortSignal,
): AsyncGenerator<LoggedEvent, void, undefined> {
  const directory = home.sessionDirectory(sessionId);
  const isLive = sessionLiveness(await home.readManifest(sessionId)) === "live";
  const events = isLive
    ? followEvents(directory, { fromSeq, signal, clock: home.clock })
    : readEvents(directory, { fromSeq });
  for await (const event of events) {
    if (signal.aborted) return;
    yield event;
  }
}
