import { bisector } from "d3-array";
import type {
  RecordingDocument,
  StateSeriesDocument,
  TerminalFrame,
  TrackedStateDocument,
} from "../../api/index.ts";
import { words } from "../model/index.ts";

/** The range of frames that brings a terminal, which shows the first `shown` frames, to the time `tMs`. */
export interface Seek {
  /** The frames start from an empty terminal: the first frame, if any, is a `reset`. */
  isFromStart: boolean;
  from: number;
  to: number;
}

/** Returns which frames to show for the time `tMs`. */
export function planSeek(frames: readonly TerminalFrame[], shown: number, tMs: number): Seek {
  const to = framesUntil(frames, tMs);
  const reset = frames.slice(0, to).findLastIndex(({ type }) => type === "reset");
  if (to < shown || reset >= shown) return { isFromStart: true, from: Math.max(0, reset), to };
  return { isFromStart: false, from: shown, to };
}

const byTime = bisector(({ t }: TerminalFrame) => t);

/** Returns the number of frames up to and including the time `tMs`. */
export function framesUntil(frames: readonly TerminalFrame[], tMs: number): number {
  return byTime.right(frames, tMs);
}

export interface Mark {
  tMs: number;
  kind: "input" | "resize" | "state" | "mark" | "exit";
  text: string;
}

/**
 * The minimum distance between two marks of one kind, as a share of the time line. A mark that is closer to the previous one is
 * omitted.
 */
const MIN_DISTANCE = 1 / 250;

/** Returns the marks of a recording and its tracked states. */
export function marksOf(recording: RecordingDocument, series: StateSeriesDocument | null): Mark[] {
  const marks = [
    ...recording.frames.flatMap((frame, index) => (index === 0 ? [] : markOfFrame(frame))),
    ...(series?.states ?? []).flatMap((state, index, all) => markOfState(state, all[index - 1])),
  ].sort((a, b) => a.tMs - b.tMs);
  const last = new Map<Mark["kind"], number>();
  return marks.filter(({ kind, tMs }) => {
    const isApart = tMs - (last.get(kind) ?? Number.NEGATIVE_INFINITY) > recording.durationMs * MIN_DISTANCE;
    if (isApart) last.set(kind, tMs);
    return isApart;
  });
}

function markOfFrame(frame: TerminalFrame): Mark[] {
  switch (frame.type) {
    case "input":
      return frame.source === "terminal-reply"
        ? []
        : [{ tMs: frame.t, kind: "input", text: `${frame.length} bytes sent` }];
    case "resize":
      return [{ tMs: frame.t, kind: "resize", text: `resized to ${frame.cols} × ${frame.rows}` }];
    case "mark":
      return [{ tMs: frame.t, kind: "mark", text: frame.label }];
    case "exit":
      return [{ tMs: frame.t, kind: "exit", text: `exited with ${frame.exitCode ?? "a signal"}` }];
    case "reset":
    case "output":
      return [];
  }
}

function markOfState(state: TrackedStateDocument, before: TrackedStateDocument | undefined): Mark[] {
  if (before?.phase === state.phase && before.shows === state.shows) return [];
  return [{ tMs: state.tMs, kind: "state", text: `${state.phase}, ${words(state.shows)}` }];
}

/** Returns the tracked state at that time; null before the first tracked state. */
export function stateAt(series: StateSeriesDocument | null, tMs: number): TrackedStateDocument | null {
  return series?.states.findLast((state) => state.tMs <= tMs) ?? null;
}

/** The length of silence, in milliseconds, above which it is skipped during playback. */
const SILENCE_MS = 1_500;

/** Returns the next time to show after `passedMs` of playback. */
export function advance(
  frames: readonly TerminalFrame[],
  tMs: number,
  passedMs: number,
  skipsSilence: boolean,
): number {
  const next = frames[framesUntil(frames, tMs)];
  if (!skipsSilence || next === undefined || next.t - tMs <= SILENCE_MS) return tMs + passedMs;
  return Math.max(tMs + passedMs, next.t - SILENCE_MS / 3);
}
