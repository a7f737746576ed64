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

/** Output sent between two looks at how much there is. */
const LOOK_EVERY_BYTES = 256 * 1024;
/** A host that was killed leaves no end in the Event Log: whether it lives is asked this often. */
const HOST_ASKED_EVERY_MS = 2_000;

/**
 * A Session's frames from where the reader is, until the child has exited, its host is gone or the signal. Nothing is read
 * before it is asked for, so whoever reads slowly falls behind in the Event Log, not in memory.
 */
export async function* followTerminal(
  home: Home,
  sessionId: string,
  { afterSeq, signal }: TerminalReading,
  limits: SourceLimits,
): AsyncGenerator<TerminalFrame, void, undefined> {
  let position = await startOf(home, sessionId, afterSeq, limits);
  for (;;) {
    if (position.painted !== null) yield position.painted;
    const end = yield* framesFrom(home, sessionId, position.seq, { signal, limits });
    if (end === "ended" || signal.aborted) return;
    position = await paintedNow(home, sessionId);
  }
}

interface Position {
  painted: TerminalFrame | null;
  /** Only later output is sent. */
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

/** Live output while the Session's host is alive, otherwise the output that it left. */
async function* eventsFrom(
  home: Home,
  sessionId: string,
  fromSeq: number,
  signal: AbortSignal,
): AsyncGenerator<LoggedEvent, void, undefined> {
  const directory = home.sessionDirectory(sessionId);
  let nextSeq = fromSeq;
  const isLive = async (): Promise<boolean> => sessionLiveness(await home.readManifest(sessionId)) === "live";
  if (await isLive()) {
    using host = watchHost(isLive, home);
    const alive = AbortSignal.any([signal, host.gone]);
    for await (const event of followEvents(directory, { fromSeq, signal: alive, clock: home.clock })) {
      nextSeq = event.record.seq + 1;
      yield event;
    }
    if (!host.gone.aborted) return;
  }
  for await (const event of readEvents(directory, { fromSeq: nextSeq })) {
    if (signal.aborted) return;
    yield event;
  }
}

function watchHost(isLive: () => Promise<boolean>, { clock }: Home): Disposable & { gone: AbortSignal } {
  const gone = new AbortController();
  const look = (): void => {
    void isLive()
      .catch(() => false)
      .then((alive) => {
        if (!alive) gone.abort(new Error("the Session's host is gone"));
        else if (!isOver) timer = clock.schedule(HOST_ASKED_EVERY_MS, look);
      });
  };
  let isOver = false;
  let timer = clock.schedule(HOST_ASKED_EVERY_MS, look);
  return {
    gone: gone.signal,
    [Symbol.dispose]: () => {
      isOver = true;
      timer[Symbol.dispose]();
    },
  };
}
