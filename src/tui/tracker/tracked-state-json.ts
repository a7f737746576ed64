import * as z from "zod";
import { DIALOG_KINDS, type Surface } from "../signals.ts";
import type { TrackedState } from "../tracked-state.ts";

const proof = z.enum(["yes", "no", "unknown"]);
const nullableText = z.string().nullable();

const surfaceType = z.enum(["composer", "dialog", "menu", "starting", "departed", "other"]);
const dialog = z.object({
  kind: z.enum(DIALOG_KINDS),
  heading: z.string(),
  choices: z.array(z.string()),
  selected: z.number().int().nullable(),
});

/** The tracked state as JSON for other programs, which read it by polling (H1). Readers ignore unknown fields. */
export const trackedStateSchema = z.object({
  at_ms: z.number(),
  diagnostics: z.object({
    availability: z.enum(["available", "tui_down", "unavailable", "error", "unknown"]),
    probe_error: nullableText,
    parse_error: nullableText,
  }),
  surface: z.object({
    shows: surfaceType,
    dialog: dialog.nullable(),
    accepting_input: proof,
    editing_input: proof,
    ready_posture: proof,
    pending_input: proof,
  }),
  turn: z.object({
    phase: z.enum(["ready", "active", "unknown"]),
    active_reasons: z.array(z.string()),
    explicit_input_armed: z.boolean(),
  }),
  last_turn: z.object({
    result: z.enum(["success", "interrupted", "known_failure", "none"]),
    source: z.enum(["explicit_input", "surface_inference", "none"]),
    error: nullableText,
    at_ms: z.number().nullable(),
  }),
  stability: z.object({ signature: z.string(), stable_for_seconds: z.number().nonnegative() }),
  detector: z.object({ name: z.string(), version: z.string() }),
  observed_version: nullableText,
  profile_extrapolated: z.boolean(),
  evidence: z.array(
    z.object({
      signal: z.enum(["accepting_input", "editing_input", "active", "ending", "dialog", "menu", "departed"]),
      row: z.number().int().nullable(),
      text: z.string(),
    }),
  ),
});

export type TrackedStateJson = z.infer<typeof trackedStateSchema>;

/** Returns a state as JSON. `nowMs` is on the time line of the tracker's events, at or after the last of them. */
export function trackedStateJson(state: TrackedState, nowMs: number): TrackedStateJson {
  const { atMs, diagnostics, surface, turn, lastTurn, stability, detector, evidence } = state;
  return {
    at_ms: atMs,
    diagnostics: {
      availability: diagnostics.availability,
      probe_error: diagnostics.probeError,
      parse_error: diagnostics.parseError,
    },
    surface: surfaceJson(surface),
    turn: {
      phase: turn.phase,
      active_reasons: [...turn.activeReasons],
      explicit_input_armed: turn.isExplicitInputArmed,
    },
    last_turn: {
      result: lastTurn.result,
      source: lastTurn.source,
      error: lastTurn.error,
      at_ms: lastTurn.atMs,
    },
    stability: {
      signature: stability.signature,
      stable_for_seconds: Math.max(0, nowMs - stability.stableSinceMs) / 1_000,
    },
    detector: { name: detector.family, version: detector.profile },
    observed_version: detector.observedVersion,
    profile_extrapolated: detector.profileExtrapolated,
    evidence: evidence.map(({ signal, row, text }) => ({ signal, row, text })),
  };
}

function surfaceJson(surface: TrackedState["surface"]): TrackedStateJson["surface"] {
  return {
    shows: surface.shows.type,
    dialog: dialogJson(surface.shows),
    accepting_input: surface.acceptingInput,
    editing_input: surface.editingInput,
    ready_posture: surface.readyPosture,
    pending_input: surface.pendingInput,
  };
}

function dialogJson(shows: Surface): TrackedStateJson["surface"]["dialog"] {
  if (shows.type !== "dialog") return null;
  const { kind, heading, choices, selected } = shows.dialog;
  return { kind, heading, choices: [...choices], selected };
}
