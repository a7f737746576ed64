import type { Label, Result, TruthInterval } from "../../../test/support/tui-recordings/index.ts";
import type { Sampled } from "./play-samples.ts";
import type { Sample, SampledRecording } from "./sampled-recording.ts";

export interface LabelledSample extends Sampled {
  id: string;
  label: string;
  /** Every asserted field, with its accepted values. */
  accepted: Readonly<Record<string, readonly string[]>>;
  /** Fields in which the origin's own tracker no longer agrees with this label. */
  abandoned: readonly string[];
}

export function labelSample(sample: Sample, screens: SampledRecording["screens"]): LabelledSample {
  const { expected, expected_sticky_last_turn: sticky, seed_expected: ours } = sample;
  const accepted = Object.entries({ ...expected, ...sticky, ...ours });
  return {
    id: sample.id,
    label: sample.label,
    atMs: sample.t * 1_000,
    runtime: sample.runtime ?? null,
    text: screens[sample.screen ?? ""] ?? null,
    abandoned: Object.keys(sample.origin_head_differs ?? {}),
    accepted: Object.fromEntries(accepted.map(([field, value]) => [field, [value ?? []].flat()])),
  };
}

/** Converts the sample to a moment of a truth file, so that it counts in the same figures. */
export function momentOf(sample: LabelledSample): TruthInterval {
  const results = (sample.accepted["last_turn.result"] ?? ["none"]) as readonly Result[];
  return {
    t0: sample.atMs,
    t1: sample.atMs,
    label: truthLabel(sample),
    draft: accepts(sample, "surface.editing_input", "yes"),
    last_result: results[0] ?? "none",
    accept_last_result: [...results],
    allowed_last_result: [...results],
  };
}

function truthLabel(sample: LabelledSample): Label {
  if (!accepts(sample, "diagnostics.availability", "available")) return "tui_down";
  if (accepts(sample, "turn.phase", "active")) return "active";
  if (accepts(sample, "turn.phase", "ready"))
    return accepts(sample, "surface.editing_input", "yes") ? "editing" : "ready";
  if (sample.label.includes("trust")) return "trust_dialog";
  return /overlay|menu/.test(sample.label) ? "menu" : "starting";
}

function accepts({ accepted }: LabelledSample, field: string, value: string): boolean {
  return accepted[field]?.includes(value) === true;
}
