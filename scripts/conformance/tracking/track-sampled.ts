import {
  faultsOf,
  type Prediction,
  predictionOf,
  type ScoredCell,
} from "../../../test/support/tui-recordings/index.ts";
import type { CaseReport } from "../case-report.ts";
import { differencesOf } from "./difference.ts";
import { labelSample, type LabelledSample, momentOf } from "./label-sample.ts";
import { observedFields } from "./observed-fields.ts";
import { openTracker } from "./open-tracker.ts";
import { playSamples, type TakenSample } from "./play-samples.ts";
import { successEnds } from "./sampled-ends.ts";
import { sampledRecordingSchema } from "./sampled-recording.ts";
import type { TrackedRecording } from "./track-recording.ts";

type Taken = TakenSample<LabelledSample>;

/** Returns whether the content declares itself a sampled recording; the rest of the content is not checked. */
export function isSampledRecording(content: unknown): boolean {
  return (content as { format?: unknown } | null)?.format === "tui-recording/1";
}

/**
 * Tracks a sampled recording. Every sample is an asserted case; its phase and result count in the figures like those of other
 * recordings.
 */
export function trackSampled(content: unknown): { tracked: TrackedRecording; cases: readonly CaseReport[] } {
  const recording = sampledRecordingSchema.parse(content);
  const name = recording.case;
  const settleMs = recording.settle_seconds * 1_000;
  const tracker = openTracker(recording.tool, recording.observed_version ?? null, { settleMs });
  const samples = recording.samples.map((sample) => labelSample(sample, recording.screens));
  // The inputs include keys and replies of the terminal; only a submit is an input for the tracker.
  const submitsMs = recording.inputs.filter(({ kind }) => kind === "submit").map(({ t }) => t * 1_000);
  const taken = playSamples(tracker, samples, submitsMs);
  const cells = taken.map((one) => cellOf(name, one));
  const ends = successEnds(name, taken, settleMs);
  const frames = taken.map(({ frame }) => frame);
  const predictions = taken.map((one) => predictionAt(name, one));
  return {
    cases: taken.map(reportOf),
    tracked: { predictions, cells, ends, differences: differencesOf(cells, ends, frames) },
  };
}

function reportOf({ sample, state }: Taken): CaseReport {
  const { accepted, abandoned } = sample;
  const seen = observedFields(state);
  const wrong = Object.keys(accepted).filter((field) => !accepted[field]?.includes(String(seen[field])));
  const pick = (from: Readonly<Record<string, unknown>>): object =>
    Object.fromEntries(wrong.map((field) => [field, from[field]]));
  const report = { id: `${sample.id} ${sample.label}`, gate: "asserted" } as const;
  if (wrong.length === 0) return { ...report, verdict: { type: "passed" } };
  const told = { expected: pick(accepted), seen: pick(seen) };
  // Only in these samples do the labels count a mere key as submitted input.
  const isKeyTaken = wrong.every((field) => field === "last_turn.source" && abandoned.includes(field));
  return {
    ...report,
    verdict: isKeyTaken ? { type: "documented", ...told, reason: KEY_TAKEN } : { type: "differs", ...told },
  };
}

const KEY_TAKEN =
  "labelled with every key as an input, and given up by its authors: here only a submit is one";

function cellOf(recording: string, taken: Taken): ScoredCell {
  const seen = predictionAt(recording, taken);
  const moment = momentOf(taken.sample);
  const { label, draft } = moment;
  const faults = faultsOf(moment, asLabelled(seen, taken.sample));
  return { recording, atMs: seen.t_ms, label, draft, seen, faults };
}

/**
 * Removes predictions that a sample's own labels confirm. The labels may correctly say that the surface accepts input or looks
 * ready: a menu is drawn under a live prompt, and right after a submit the old screen is still shown.
 */
function asLabelled(seen: Prediction, { accepted }: LabelledSample): Prediction {
  const isRight = (field: string, value: string): boolean => accepted[field]?.includes(value) === true;
  return {
    ...seen,
    accepting_input: isRight("surface.accepting_input", seen.accepting_input)
      ? "unknown"
      : seen.accepting_input,
    ready_posture: isRight("surface.ready_posture", seen.ready_posture) ? "unknown" : seen.ready_posture,
  };
}

function predictionAt(recording: string, { sample, state }: Taken): Prediction {
  return predictionOf(recording, sample.atMs, state);
}
