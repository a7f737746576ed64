import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createScreen } from "agent-tty/testing";
import { createTracker, resolveProfile, type Tracker, type TrackerEvent } from "../../src/tui/index.ts";
import {
  playRecording,
  type Prediction,
  predictionOf,
  quantile,
  readRecording,
  readTruth,
  type Recording,
  type ScoredEnd,
  scoreTurnEnds,
  trackerEvents,
} from "../../test/support/tui-recordings/index.ts";
import { type BenchRow, judged, milliseconds } from "./row.ts";

const REQUIRED_PER_SECOND = 2_000;
const REQUIRED_LATENCY_MS = 1_500;
/** The number of measurements of each recording; the best one counts, because other programs use the machine too. */
const ROUNDS = 5;

interface Measured {
  screens: number;
  trackMs: number;
  extractAndTrackMs: number;
  parseMs: number;
  ends: readonly ScoredEnd[];
}

/** P12: measures the recordings in a directory, in this process, on one core. */
export async function trackerRows(directory: string): Promise<BenchRow[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".rec.jsonl.gz"));
  const all: Measured[] = [];
  for (const name of names) all.push(await measured(join(directory, name)));
  const sum = (of: (one: Measured) => number): number => all.reduce((total, one) => total + of(one), 0);
  const screens = sum((one) => one.screens);
  const perSecond = (ms: number): number => (screens / ms) * 1_000;
  const [track, extract, parse] = [
    perSecond(sum((one) => one.trackMs)),
    perSecond(sum((one) => one.extractAndTrackMs)),
    perSecond(sum((one) => one.parseMs)),
  ];
  const rawLimit = `emulator parses the same bytes: ${rate(parse)}`;
  const requirement = `≥ ${REQUIRED_PER_SECOND} screens/s`;
  const tracked = {
    row: "P12",
    what: `detector and tracker, ${screens} screens of ${names.length} recordings`,
  };
  const extracted = { row: "P12", what: "the same from bytes: emulator, snapshot, detector, tracker" };
  return [
    judged(
      { ...tracked, measured: rate(track), rawLimit, ratio: parse / track, requirement },
      track >= REQUIRED_PER_SECOND,
    ),
    judged(
      { ...extracted, measured: rate(extract), rawLimit, ratio: parse / extract, requirement },
      extract >= REQUIRED_PER_SECOND,
    ),
    latencyRow(all.flatMap(({ ends }) => ends)),
  ];
}

function latencyRow(ends: readonly ScoredEnd[]): BenchRow {
  const seen = ends.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs]));
  const [p50, p95] = [quantile(seen, 0.5) ?? Number.NaN, quantile(seen, 0.95) ?? Number.NaN];
  return judged(
    {
      row: "P12",
      what: `end of Turn seen after the truth, ${ends.length} ends (p50, p95)`,
      measured: `${milliseconds(p50)}, ${milliseconds(p95)}`,
      rawLimit: "–",
      ratio: null,
      requirement: `p95 ≤ ${milliseconds(REQUIRED_LATENCY_MS)}`,
    },
    p95 <= REQUIRED_LATENCY_MS && seen.length === ends.length,
  );
}

async function measured(path: string): Promise<Measured> {
  const recording = await readRecording(path);
  const truth = await readTruth(path.replace(".rec.jsonl.gz", ".truth.json"));
  const events: TrackerEvent[] = [];
  for (const event of distinctScreens(recording)) events.push(withCells(event));
  const predictions: Prediction[] = [...playRecording(recording, open(recording))].map(({ event, state }) =>
    predictionOf(truth.recording, event.atMs, state),
  );
  return {
    screens: events.filter(({ type }) => type === "screen").length,
    trackMs: best(() => track(recording, events)),
    extractAndTrackMs: best(() => track(recording, distinctScreens(recording))),
    parseMs: best(() => parse(recording)),
    ends: scoreTurnEnds(truth, predictions),
  };
}

/** Yields the events without repeats of an unchanged screen, which take almost no time and would make the result look better. */
function* distinctScreens(recording: Recording): Generator<TrackerEvent> {
  let before: unknown = null;
  for (const { event } of trackerEvents(recording)) {
    if (event.type === "screen" && event.screen === before) continue;
    if (event.type === "screen") before = event.screen;
    yield event;
  }
}

/** Reads all styles of the screen, so that the event can be replayed later. */
function withCells(event: TrackerEvent): TrackerEvent {
  if (event.type === "screen") for (let row = 0; row < event.screen.rows; row += 1) event.screen.cellsOf(row);
  return event;
}

function track(recording: Recording, events: Iterable<TrackerEvent>): void {
  const tracker = open(recording);
  for (const event of events) {
    const { parseError } = tracker.apply(event).diagnostics;
    if (parseError !== null) throw new Error(`a screen could not be read: ${parseError}`);
  }
}

function parse({ header, events }: Recording): void {
  using screen = createScreen(header);
  for (const [index, event] of events.entries()) {
    if (event.type === "output") screen.write(event.b64, index + 1);
    if (event.type === "resize") screen.resize(event.cols, event.rows, index + 1);
  }
}

function open({ header }: Recording): Tracker {
  return createTracker(resolveProfile({ tool: header.tool, observedVersion: header.version ?? null }));
}

function best(work: () => void): number {
  const taken = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...taken);
}

function rate(perSecond: number): string {
  return `${Math.round(perSecond)} screens/s`;
}
