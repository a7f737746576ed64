import { join } from "node:path";
import type {
  RecordingDocument,
  StateSeriesDocument,
  TerminalFrame,
  TrackedStateDocument,
} from "../../../src/board/index.ts";
import { createTracker, type Dialog, resolveProfile, type TrackedState } from "../../../src/tui/index.ts";
import {
  playRecording,
  readRecording,
  type Recording,
  type RecordingEvent,
} from "../tui-recordings/index.ts";

const RECORDINGS = join(import.meta.dirname, "../../fixtures/recordings");

export interface RecordedTerminal {
  recording: RecordingDocument;
  states: StateSeriesDocument;
}

/** Converts a real TUI recording of the fixtures to the board's documents, with the states of the real tracker. */
export async function recordedTerminal(name: string, startedAtMs: number): Promise<RecordedTerminal> {
  const recording = await readRecording(join(RECORDINGS, `${name}.rec.jsonl.gz`));
  const { cols, rows, tool, version } = recording.header;
  const frames: TerminalFrame[] = [
    { type: "reset", seq: 0, t: 0, cols, rows, paint: "" },
    ...recording.events.map(frameOf),
    { type: "exit", seq: recording.events.length + 1, t: recording.durationMs, exitCode: 0 },
  ];
  return {
    recording: {
      schema: "afk-triage/board-recording@1",
      sessionId: "01J9Z6Q0W3N5Y8T4B2C7D1E6FG",
      startedAtMs,
      durationMs: recording.durationMs,
      isTruncated: false,
      window: { startMs: 0, endMs: recording.durationMs, isEnd: true },
      frames,
    },
    states: {
      schema: "afk-triage/board-states@1",
      isTruncated: false,
      states: [...statesOf(recording, tool, version ?? null, startedAtMs)],
    },
  };
}

function frameOf(event: RecordingEvent, index: number): TerminalFrame {
  const at = { seq: index + 1, t: event.t_ms };
  switch (event.type) {
    case "output":
      return { type: "output", ...at, data: event.b64.toString("base64") };
    case "resize":
      return { type: "resize", ...at, cols: event.cols, rows: event.rows };
    case "input":
      return { type: "input", ...at, source: "run", length: event.b64.length };
  }
}

function* statesOf(
  recording: Recording,
  tool: string,
  observedVersion: string | null,
  startedAtMs: number,
): Generator<TrackedStateDocument> {
  const tracker = createTracker(resolveProfile({ tool, observedVersion }));
  let told = "";
  for (const { event, state } of playRecording(recording, tracker)) {
    const { diagnostics, surface, turn, lastTurn } = state;
    const key = JSON.stringify([diagnostics, surface, turn, lastTurn]);
    const seq = recording.events.filter(({ t_ms }) => t_ms <= event.atMs).length;
    if (key !== told) yield documentOf(state, seq, startedAtMs);
    told = key;
  }
}

function dialogOf({ choices, ...dialog }: Dialog): TrackedStateDocument["dialog"] {
  return { ...dialog, choices: [...choices] };
}

function documentOf(state: TrackedState, seq: number, startedAtMs: number): TrackedStateDocument {
  const { diagnostics, surface, turn, lastTurn, stability, detector, evidence } = state;
  return {
    seq,
    tMs: Math.round(state.atMs),
    atMs: Math.round(startedAtMs + state.atMs),
    ...diagnostics,
    shows: surface.shows.type,
    dialog: surface.shows.type === "dialog" ? dialogOf(surface.shows.dialog) : null,
    acceptingInput: surface.acceptingInput,
    editingInput: surface.editingInput,
    readyPosture: surface.readyPosture,
    phase: turn.phase,
    activeReasons: [...turn.activeReasons],
    lastTurn: { result: lastTurn.result, source: lastTurn.source, error: lastTurn.error },
    stableForMs: Math.max(0, Math.round(state.atMs - stability.stableSinceMs)),
    detector,
    evidence: evidence.map(({ signal, text }) => ({ signal, text })),
  };
}
