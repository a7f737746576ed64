import { type Home, paintSession, readEvents } from "agent-tty";
import type { RecordingDocument, TerminalFrame } from "../api/index.ts";
import type { SourceLimits } from "./source-limits.ts";
import { frameOf, resetTo } from "./terminal-frame.ts";

/**
 * Returns a Session's frames so far. A long recording is reduced to its last frames within the limits, after a painted screen.
 */
export async function recordingDocument(
  home: Home,
  sessionId: string,
  limits: Pick<SourceLimits, "recordingCharacters" | "recordingFrames">,
): Promise<RecordingDocument> {
  const kept = new LastFrames(limits);
  let [startedAtMs, durationMs] = [0, 0];
  for await (const event of readEvents(home.sessionDirectory(sessionId))) {
    const { record } = event;
    if (record.type === "started") startedAtMs = Math.max(0, Math.round(record.wallMs - record.t));
    durationMs = record.t;
    const frame = frameOf(event);
    if (frame !== null) kept.push(frame);
  }
  const { frames, isTruncated } = kept;
  const [first] = frames;
  const begin = isTruncated && first !== undefined ? await paintedBefore(home, sessionId, first.seq) : [];
  const all = [...begin, ...frames];
  return {
    schema: "afk-triage/board-recording@1",
    sessionId,
    startedAtMs,
    durationMs,
    isTruncated,
    window: { startMs: all[0]?.t ?? 0, endMs: durationMs, isEnd: true },
    frames: all,
  };
}

/** Returns a painted screen before a frame, and the few frames between them. */
async function paintedBefore(home: Home, sessionId: string, seq: number): Promise<TerminalFrame[]> {
  const painting = await paintSession(home, sessionId, { atSeq: seq - 1 });
  const frames = [resetTo(painting)];
  const between = { fromSeq: painting.seq + 1, toSeq: seq - 1 };
  for await (const event of readEvents(home.sessionDirectory(sessionId), between)) {
    const frame = frameOf(event);
    if (frame !== null) frames.push(frame);
  }
  return frames;
}

class LastFrames {
  readonly #limits: Pick<SourceLimits, "recordingCharacters" | "recordingFrames">;
  #frames: TerminalFrame[] = [];
  #first = 0;
  #characters = 0;
  #isTruncated = false;

  constructor(limits: Pick<SourceLimits, "recordingCharacters" | "recordingFrames">) {
    this.#limits = limits;
  }

  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  get frames(): TerminalFrame[] {
    return this.#frames.slice(this.#first);
  }

  push(frame: TerminalFrame): void {
    this.#frames.push(frame);
    this.#characters += sizeOf(frame);
    while (this.#isTooMuch()) {
      this.#characters -= sizeOf(this.#frames[this.#first]);
      this.#first += 1;
      this.#isTruncated = true;
    }
    if (this.#first < this.#limits.recordingFrames) return;
    this.#frames = this.frames;
    this.#first = 0;
  }

  #isTooMuch(): boolean {
    const { recordingCharacters, recordingFrames } = this.#limits;
    return this.#characters > recordingCharacters || this.#frames.length - this.#first > recordingFrames;
  }
}

function sizeOf(frame: TerminalFrame | undefined): number {
  return frame?.type === "output" ? frame.data.length : 0;
}
