import type { WriteStream } from "node:tty";
import { fitColumns } from "./inert-text.ts";

export const phases = [
  "Read the issue",
  "Look into the checkout",
  "Find code to run",
  "Run the reproduction",
  "Weigh what was found",
  "Write the outcome",
] as const;
export type Phase = (typeof phases)[number];

export interface ScreenState {
  title: string;
  /** The note beside each phase that has begun or ended. */
  notes: Partial<Record<Phase, string>>;
  current: Phase | null;
  done: readonly Phase[];
  /** The last output of the reproduction. */
  output: string;
}

const OUTPUT_LINES = 4;
const style = {
  bold: "\u001B[1m",
  dim: "\u001B[2m",
  green: "\u001B[32m",
  cyan: "\u001B[36m",
  reset: "\u001B[0m",
};

export type ScreenStream = Pick<WriteStream, "isTTY" | "columns" | "rows"> & { write(text: string): unknown };

export type Screen = ReturnType<typeof createScreen>;

/**
 * Shows a live picture of the work, drawn in place: each frame overwrites the one before. On a stream that is not a terminal only
 * the notes appear, one line each.
 */
export function createScreen(stream: ScreenStream, title: string) {
  let state: ScreenState = { title, notes: {}, current: null, done: [], output: "" };
  let drawnLines = 0;

  const draw = () => {
    if (!stream.isTTY) return;
    const lines = renderFrame(state, stream.columns || 80, stream.rows || 24);
    const up = drawnLines === 0 ? "" : `\u001B[${drawnLines}A`;
    stream.write(`${up}\r${lines.map((line) => `${line}\u001B[K\r\n`).join("")}\u001B[J`);
    drawnLines = lines.length;
  };

  if (!stream.isTTY) stream.write(`${fitColumns(title, 200)}\n`);

  return {
    begin(phase: Phase) {
      state = { ...state, current: phase };
      draw();
    },
    end(phase: Phase, note: string) {
      const notes = { ...state.notes, [phase]: note };
      state = { ...state, notes, current: null, done: [...state.done, phase] };
      if (!stream.isTTY) stream.write(`${phase}: ${fitColumns(note, 200)}\n`);
      draw();
    },
    show(phase: Phase, note: string, output: string) {
      state = { ...state, notes: { ...state.notes, [phase]: note }, output };
      draw();
    },
  };
}

/**
 * Returns the lines of one frame. Pure. No line is wider than `columns`; styles are added after cutting, so that none is cut in
 * two. The frame always has fewer lines than `rows`, because lines that have scrolled away cannot be overwritten: the output is
 * omitted first, then the earliest phases.
 */
export function renderFrame(state: ScreenState, columns: number, rows: number): string[] {
  const width = Math.max(10, columns - 1);
  const room = Math.max(1, rows - 2);
  const title = `${style.bold}${fitColumns(state.title, width)}${style.reset}`;
  const rule = `${style.dim}${"─".repeat(Math.min(Math.floor(width / 2), 36))}${style.reset}`;
  const done = phases.map((phase) => phaseLine(state, phase, width));
  if (done.length + 1 > room) return [title, ...done.slice(-room)];
  const output = state.output
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-OUTPUT_LINES)
    .map((line) => `${style.dim}${fitColumns(`  │ ${line}`, width)}${style.reset}`);
  return [title, rule, ...done, ...output].slice(0, room + 1);
}

function phaseLine(state: ScreenState, phase: Phase, width: number): string {
  const isDone = state.done.includes(phase);
  const isCurrent = state.current === phase;
  const mark = isDone ? "✓" : isCurrent ? "▸" : "·";
  const note = state.notes[phase];
  const text = fitColumns(`${mark} ${phase}${note === undefined ? "" : `: ${note}`}`, width);
  const colour = isDone ? style.green : isCurrent ? style.cyan : style.dim;
  return `${colour}${text}${style.reset}`;
}
