import { eventsFrom, findMoment, type Home, paintSession } from "agent-tty";
import type { RecordingDocument, TerminalFrame } from "../api/index.ts";
import { frameOf, resetTo } from "./terminal-frame.ts";

export interface WindowLimits {
  /** The maximum output, in base64 characters. */
  windowCharacters: number;
  windowFrames: number;
}

/**
 * The number of scrolled-off lines above the painted screen, enough to scroll back a few screens. The page parses them before it
 * shows the screen, so there are not more; a seek reaches older lines.
 */
const SCROLLED_LINES = 250;

/**
 * Returns the part of a recording that begins at the moment `atMs`: the screen at that moment, and the frames that follow
 * (B5). It costs the same anywhere in a recording of any length.
 */
export async function recordingWindow(
  home: Home,
  sessionId: string,
  atMs: number,
  limits: WindowLimits,
): Promise<RecordingDocument> {
  const [last, startedAtMs] = await Promise.all([
    findMoment(home, sessionId, Number.POSITIVE_INFINITY),
    startOf(home, sessionId),
  ]);
  const moment = atMs >= last.tMs ? last : await findMoment(home, sessionId, atMs);
  const frames: TerminalFrame[] = [];
  let nextSeq = 1;
  if (moment.seq > 1) {
    const painting = await paintSession(home, sessionId, {
      atSeq: moment.seq,
      scrolledLines: SCROLLED_LINES,
    });
    frames.push(resetTo(painting));
    nextSeq = painting.seq + 1;
  }
  const { isEnd, endMs } = await addFrames(frames, eventsFrom(home, sessionId, nextSeq), moment.tMs, limits);
  const startMs = frames[0]?.t ?? 0;
  return {
    schema: "afk-triage/board-recording@1",
    sessionId,
    startedAtMs,
    durationMs: last.tMs,
    isTruncated: nextSeq > 1 || !isEnd,
    window: { startMs, endMs: isEnd ? last.tMs : endMs, isEnd },
    frames,
  };
}

/**
 * Adds frames until a limit is exceeded. It never separates frames with the same time, and adds at least all frames up to
 * `wantedMs`.
 */
async function addFrames(
  frames: TerminalFrame[],
  events: ReturnType<typeof eventsFrom>,
  wantedMs: number,
  { windowCharacters, windowFrames }: WindowLimits,
): Promise<{ isEnd: boolean; endMs: number }> {
  let characters = 0;
  let lastMs = 0;
  for await (const event of events) {
    const { t } = event.record;
    const isFull = characters > windowCharacters || frames.length > windowFrames;
    if (isFull && t > lastMs && t > wantedMs) return { isEnd: false, endMs: t };
    lastMs = t;
    const frame = frameOf(event);
    if (frame === null) continue;
    frames.push(frame);
    if (frame.type === "output") characters += frame.data.length;
  }
  return { isEnd: true, endMs: lastMs };
}

/** Returns the wall time of the Session's start. */
async function startOf(home: Home, sessionId: string): Promise<number> {
  for await (const { record } of eventsFrom(home, sessionId, 1))
    return record.type === "started" ? Math.max(0, Math.round(record.wallMs - record.t)) : 0;
  return 0;
}
