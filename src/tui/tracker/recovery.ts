import type { ActiveReason, TuiSignals } from "../signals.ts";
import { draftOf } from "./observe-screen.ts";
import type { TrackerSettings } from "./settings.ts";
import type { SeenScreen, TurnMemory } from "./turn-memory.ts";

/**
 * The reasons that may be left over on a quiet screen. The tool's current title, report or footer and a visibly open
 * Turn are excluded: a pause in an answer looks the same.
 */
const STALE_REASONS: ReadonlySet<ActiveReason> = new Set(["spinner_row", "status_row"]);
const FINAL_REASONS: ReadonlySet<ActiveReason> = new Set([
  ...STALE_REASONS,
  "in_flight_tool_cell",
  "queue_hint",
  "steer_handoff",
  "stream_retry_status",
]);

/** Returns the memory with the time since when no signal has changed. The recovery of a screen that has changed is dropped. */
export function watchQuiet(memory: TurnMemory, atMs: number): TurnMemory {
  const key = memory.availability === "available" && memory.seen !== null ? quietKey(memory.seen) : null;
  if (key === null) return { ...memory, quiet: null, recoveredKey: null };
  return {
    ...memory,
    quiet: memory.quiet?.key === key ? memory.quiet : { key, sinceMs: atMs },
    recoveredKey: memory.recoveredKey === key ? key : null,
  };
}

/**
 * Returns when this quiet screen will count as idle if it does not change, in milliseconds of the events' time line, or null if
 * it never will.
 */
export function recoveryDueMs(memory: TurnMemory, settings: TrackerSettings): number | null {
  const { quiet, seen, phase, recoveredKey } = memory;
  if (quiet === null || seen === null || phase !== "active" || recoveredKey !== null) return null;
  const windowMs = recoveryWindowMs(memory, seen.signals, settings);
  return windowMs === null ? null : quiet.sinceMs + windowMs;
}

/**
 * Returns the memory in which the screen is idle (H25, H26). No Turn stays armed, so the recovery cannot produce a success (H27).
 */
export function recover(memory: TurnMemory): TurnMemory {
  return {
    ...memory,
    anchor: null,
    settle: null,
    phase: "ready",
    recoveredKey: memory.quiet?.key ?? null,
    // An end that is already on the screen belongs to an earlier Turn.
    countedEnding: memory.seen?.signals.ending?.signature ?? null,
  };
}

function recoveryWindowMs(
  { anchor }: TurnMemory,
  signals: TuiSignals,
  settings: TrackerSettings,
): number | null {
  if (signals.surface.type !== "composer" || signals.acceptingInput !== "yes") return null;
  if (signals.activeReasons.length === 0)
    return signals.readyPosture === "yes" ? abandonedAfterMs(anchor, signals, settings) : null;
  if (signals.editingInput !== "no") return null;
  const isAnchored = anchor?.source === "explicit_input";
  if (!isAnchored && signals.activeReasons.every((reason) => STALE_REASONS.has(reason)))
    return settings.staleActiveRecoveryMs;
  return signals.activeReasons.every((reason) => FINAL_REASONS.has(reason)) ? settings.finalRecoveryMs : null;
}

/** Returns the limit, in milliseconds, for an explicit Turn whose screen shows neither work nor an end. */
function abandonedAfterMs(
  anchor: TurnMemory["anchor"],
  signals: TuiSignals,
  settings: TrackerSettings,
): number | null {
  const submitted = anchor?.submitted ?? null;
  if (submitted === null) return settings.finalRecoveryMs;
  const draft = draftOf(signals);
  const isBack = draft !== null && draft === submitted.draft;
  // Esc before any output: the tool puts the message back into the composer.
  if (isBack && submitted.wasTaken) return settings.announcedSettleMs;
  // A frozen TUI still shows the text although it may have taken it.
  if (isBack) return submitted.hasPainted ? settings.submitLostMs : settings.finalRecoveryMs;
  const isRefused = signals.currentError !== null && signals.currentError !== submitted.error;
  return isRefused ? settings.settleMs.explicit_input : settings.finalRecoveryMs;
}

function quietKey({ signature, title, programReport, signals }: SeenScreen): string {
  const { activeReasons, acceptingInput, editingInput, surface, ending } = signals;
  return JSON.stringify([
    signature,
    title,
    programReport,
    activeReasons,
    acceptingInput,
    editingInput,
    surface.type,
    ending?.signature ?? null,
  ]);
}
