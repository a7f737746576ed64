import type { TrackedStateDocument } from "../api/index.ts";
import type { Dialog, SessionState } from "../../tui/index.ts";

/**
 * Returns a tracked state for the board. `startedAtMs`: the Session's start; `nowMs`: the time of reading, at or after the state.
 * Both are wall times.
 */
export function trackedStateDocument(
  { state, seq, atMs }: SessionState,
  { startedAtMs, nowMs }: { startedAtMs: number; nowMs: number },
): TrackedStateDocument {
  const { diagnostics, surface, turn, lastTurn, stability, detector, evidence } = state;
  return {
    seq,
    tMs: whole(atMs - startedAtMs),
    atMs: whole(atMs),
    ...diagnostics,
    shows: surface.shows.type,
    dialog: surface.shows.type === "dialog" ? dialogDocument(surface.shows.dialog) : null,
    acceptingInput: surface.acceptingInput,
    editingInput: surface.editingInput,
    readyPosture: surface.readyPosture,
    phase: turn.phase,
    activeReasons: [...turn.activeReasons],
    lastTurn: { result: lastTurn.result, source: lastTurn.source, error: lastTurn.error },
    stableForMs: whole(nowMs - stability.stableSinceMs),
    detector: { ...detector },
    evidence: evidence.map(({ signal, text }) => ({ signal, text })),
  };
}

function dialogDocument({ kind, heading, choices, selected }: Dialog): TrackedStateDocument["dialog"] {
  return { kind, heading, choices: [...choices], selected };
}

function whole(ms: number): number {
  return Math.max(0, Math.round(ms));
}
