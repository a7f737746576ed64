import { bisector } from "d3-array";
import type {
  RecordingDocument,
  StateSeriesDocument,
  TerminalFrame,
  TrackedStateDocument,
} from "../../api/index.ts";
import { words } from "../model/index.ts";

/** Which frames bring a terminal that shows `shown` of them to the moment `tMs`. */
export interface Seek {
  /** Starts from an empty terminal: the first frame is a `reset`, or there is none. */
  isFromStart: boolean;
  from: number;
  to: number;
}

export function planSeek(frames: readonly TerminalFrame[], shown: number, tMs: number): Seek {
  const to = framesUntil(frames, tMs);
  const reset = frames.slice(0, to).findLastIndex(({ type }) => type === "reset");
  if (to < shown || reset >= shown) return { isFromStart: true, from: Math.max(0, reset), to };
  return { isFromStart: false, from: shown, to };
}

const byTime = bisector(({ t }: TerminalFrame) => t);

export function framesUntil(frames: readonly TerminalFrame[], tMs: number): number {
  return byTime.right(frames, tMs);
}

export interface Mark {
  tMs: number;
  kind: "input" | "resize" | "state" | "mark" | "exit";
  text: string;
}

/** Marks of one kind that would lie on each other are one. */
const APART = 1 / 250;

export function marksOf(recording: RecordingDocument, series: StateSeriesDocument | null): Mark[] {
  const marks = [
    ...recording.frames.flatMap((frame, index) => (index === 0 ? [] : markOfFrame(frame))),
    ...(series?.states ?? []).flatMap((state, index, all) => markOfState(state, all[index - 1])),
  ].sort((a, b) => a.tMs - b.tMs);
  const last = new Map<Mark["kind"], number>();
  return marks.filter(({ kind, tMs }) => {
    const isApart = tMs - (last.get(kind) ?? Number.NEGATIVE_INFINITY) > recording.durationMs * APART;
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

/** What was known at that moment; null before the first look. */
export function stateAt(series: StateSeriesDocument | null, tMs: number): TrackedStateDocument | null {
  return series?.states.findLast((state) => state.tMs <= tMs) ?? null;
}

/** Longer silence is passed over while playing. */
const DULL_MS = 1_500;

/** The next moment to show when `passedMs` of the recording's time have passed. */
export function advance(
  frames: readonly TerminalFrame[],
  tMs: number,
  passedMs: number,
  skipsSilence: boolean,
): number {
  const next = frames[framesUntil(frames, tMs)];
  if (!skipsSilence || next === undefined || next.t - tMs <= DULL_MS) return tMs + passedMs;
  return Math.max(tMs + passedMs, next.t - DULL_MS / 3);
}
