import {
  playRecording,
  type Prediction,
  predictionOf,
  type Recording,
  scoreCells,
  type ScoredCell,
  type ScoredEnd,
  scoreTurnEnds,
  type Truth,
} from "../../../test/support/tui-recordings/index.ts";
import { type Difference, type Frame, differencesOf, frameOf } from "./difference.ts";
import { openTracker } from "./open-tracker.ts";

/** The tracker's results for one recording. Without a truth there is nothing to compare. */
export interface TrackedRecording {
  predictions: readonly Prediction[];
  cells: readonly ScoredCell[];
  ends: readonly ScoredEnd[];
  differences: readonly Difference[];
}

export function trackRecording(recording: Recording, truth: Truth | null): TrackedRecording {
  const { tool, version, recording: name } = recording.header;
  const predictions: Prediction[] = [];
  const frames: Frame[] = [];
  for (const played of playRecording(recording, openTracker(tool, version ?? null))) {
    predictions.push(predictionOf(name, played.event.atMs, played.state));
    frames.push(frameOf(played, frames.at(-1) ?? null));
  }
  if (truth === null) return { predictions, cells: [], ends: [], differences: [] };
  const cells = scoreCells(truth, predictions);
  const ends = scoreTurnEnds(truth, predictions);
  return { predictions, cells, ends, differences: differencesOf(cells, ends, frames) };
}
