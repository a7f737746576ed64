import type { Evidence, TuiSignals } from "./signals.ts";

const TEXT_MAX_CHARACTERS = 200;

/** The signals of a screen that proves nothing (H20). */
export const SILENT: TuiSignals = {
  surface: { type: "other" },
  acceptingInput: "unknown",
  editingInput: "unknown",
  readyPosture: "unknown",
  pendingInput: "unknown",
  activeReasons: [],
  ending: null,
  currentError: null,
  evidence: [],
};

/** Returns the evidence with its text cut to the limit. */
export function boundedText(evidence: Evidence): Evidence {
  return { ...evidence, text: evidence.text.trim().slice(0, TEXT_MAX_CHARACTERS) };
}
