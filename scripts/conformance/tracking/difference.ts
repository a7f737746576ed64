import type { TrackedState } from "../../../src/tui/index.ts";
import type {
  Played,
  Prediction,
  ScoredCell,
  ScoredEnd,
} from "../../../test/support/tui-recordings/index.ts";

/** The screen at the time when a state was reported. */
export interface Frame {
  atMs: number;
  state: TrackedState;
  screen: readonly string[];
}

/** Consecutive cells with the same difference, with the screen at the first of them. */
export interface Difference {
  recording: string;
  fromMs: number;
  untilMs: number;
  expected: string;
  faults: readonly string[];
  seen: Omit<Prediction, "recording" | "t_ms"> | null;
  evidence: readonly string[];
  screen: readonly string[];
}

export function frameOf({ event, state }: Played, before: Frame | null): Frame {
  const screen = event.type === "screen" ? event.screen.lines : (before?.screen ?? []);
  return { atMs: event.atMs, state, screen };
}

export function differencesOf(
  cells: readonly ScoredCell[],
  ends: readonly ScoredEnd[],
  frames: readonly Frame[],
): Difference[] {
  const differences: Difference[] = [];
  let before: ScoredCell | null = null;
  for (const cell of cells) {
    const last = differences.at(-1);
    if (last !== undefined && before !== null && isAlike(before, cell)) last.untilMs = cell.atMs;
    else if (cell.faults.length > 0) differences.push(differenceOf(cell, frames));
    before = cell;
  }
  const missed = ends.filter(({ latencyMs }) => latencyMs === null);
  return [...differences, ...missed.map((end) => missedEnd(end, frames))];
}

function isAlike(left: ScoredCell, right: ScoredCell): boolean {
  return left.faults.length > 0 && left.label === right.label && left.faults.join() === right.faults.join();
}

function differenceOf(cell: ScoredCell, frames: readonly Frame[]): Difference {
  const { recording, atMs, label, draft, seen, faults } = cell;
  const expected = label === "active" && draft ? "active with a draft" : label;
  return {
    recording,
    fromMs: atMs,
    untilMs: atMs,
    expected,
    faults,
    seen: seenOf(seen),
    ...shown(frames, atMs),
  };
}

function missedEnd({ recording, endMs, result }: ScoredEnd, frames: readonly Frame[]): Difference {
  const expected = `the end of a Turn: ${result}`;
  const at = { recording, fromMs: endMs, untilMs: endMs, expected };
  return { ...at, faults: ["never seen"], seen: null, ...shown(frames, endMs + 1_000) };
}

function seenOf(seen: Prediction | null): Difference["seen"] {
  if (seen === null) return null;
  const { recording: _recording, t_ms: _at, ...rest } = seen;
  return rest;
}

function shown(frames: readonly Frame[], atMs: number): Pick<Difference, "evidence" | "screen"> {
  const frame = frames.findLast((one) => one.atMs <= atMs);
  const evidence = frame?.state.evidence.map(({ signal, row, text }) => `${signal} ${row ?? "–"}: ${text}`);
  return { evidence: evidence ?? [], screen: frame?.screen ?? [] };
}
