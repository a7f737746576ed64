import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTracker, resolveProfile } from "../../src/tui/index.ts";
import {
  missedThresholds,
  playRecording,
  type Prediction,
  predictionOf,
  readRecording,
  readTruth,
  scoreCells,
  type ScoredCell,
  type ScoredEnd,
  scoreTurnEnds,
  summarise,
} from "../support/tui-recordings/index.ts";

const DIRECTORY = join(import.meta.dirname, "../fixtures/recordings");
const NAMES = readdirSync(DIRECTORY)
  .filter((name) => name.endsWith(".rec.jsonl.gz"))
  .map((name) => name.replace(".rec.jsonl.gz", ""));

test.each(NAMES)("%s is tracked without a fault (H4, H18–H24, H28–H30)", async (name) => {
  const { cells, ends } = await tracked(name);
  expect(cells.length).toBeGreaterThan(20);
  expect(cells.filter(({ faults }) => faults.length > 0)).toEqual([]);
  expect(ends.filter(({ latencyMs }) => latencyMs === null)).toEqual([]);
});

test("over all recordings the ends of Turns are seen in time, and every threshold is met (P12)", async () => {
  const all = await Promise.all(NAMES.map(tracked));
  const cells = all.flatMap((one) => one.cells);
  const ends = all.flatMap((one) => one.ends);
  const summary = summarise(cells, ends);
  expect(missedThresholds(cells, summary)).toEqual([]);
  expect(summary.successLatencyMs.p95).toBeLessThanOrEqual(1_500);
  expect(new Set(ends.map(({ result }) => result))).toEqual(
    new Set(["success", "interrupted", "known_failure"]),
  );
  expect(new Set(cells.map(({ label }) => label)).size).toBeGreaterThanOrEqual(9);
});

interface Tracked {
  cells: ScoredCell[];
  ends: ScoredEnd[];
}

/** Each recording is tracked only once. */
const known = new Map<string, Promise<Tracked>>();

function tracked(name: string): Promise<Tracked> {
  const one = known.get(name) ?? track(name);
  known.set(name, one);
  return one;
}

async function track(name: string): Promise<Tracked> {
  const recording = await readRecording(join(DIRECTORY, `${name}.rec.jsonl.gz`));
  const truth = await readTruth(join(DIRECTORY, `${name}.truth.json`));
  const { tool, version } = recording.header;
  const tracker = createTracker(resolveProfile({ tool, observedVersion: version ?? null }));
  const predictions = [...playRecording(recording, tracker)].map(({ event, state }): Prediction =>
    predictionOf(name, event.atMs, state),
  );
  return { cells: scoreCells(truth, predictions), ends: scoreTurnEnds(truth, predictions) };
}
