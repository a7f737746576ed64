import { createHash } from "node:crypto";
import { stripVTControlCharacters } from "node:util";
import type { TuiSignals } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import type { SeenScreen, SubmittedDraft, TurnAnchor, TurnMemory } from "./turn-memory.ts";

/** Returns the memory with a screen. The reducer decides what the screen means for the Turn. */
export function observeScreen(
  memory: TurnMemory,
  screen: TuiScreen,
  signals: TuiSignals,
  atMs: number,
): TurnMemory {
  const seen = seenScreen(memory.seen, screen, signals, atMs);
  return {
    ...memory,
    parseError: null,
    seen,
    anchor: memory.anchor === null ? null : watchSubmit(memory.anchor, seen, atMs),
    settled: memory.settled === null ? null : { ...memory.settled, ...followUp(memory.settled, signals) },
  };
}

/**
 * Returns the memory with input that was sent through us, which begins a Turn (H1). It replaces any earlier Turn, including one
 * that has not settled.
 */
export function observeSubmit(memory: TurnMemory, atMs: number): TurnMemory {
  const { seen } = memory;
  return {
    ...memory,
    anchor: {
      source: "explicit_input",
      sinceMs: atMs,
      staleEnding: seen?.signals.ending?.signature ?? null,
      submitted: {
        draft: seen === null ? null : draftOf(seen.signals),
        error: seen?.signals.currentError ?? null,
        screenSignature: seen?.signature ?? null,
        isFresh: true,
        hasPainted: false,
        wasTaken: false,
      },
    },
    settle: null,
    settled: null,
    quiet: null,
    recoveredKey: null,
  };
}

/** Returns the composer's text from the evidence, or null if it shows none. */
export function draftOf({ editingInput, evidence }: TuiSignals): string | null {
  if (editingInput !== "yes") return null;
  return evidence
    .filter(({ signal }) => signal === "editing_input")
    .map(({ text }) => text)
    .join("\n");
}

function seenScreen(
  before: SeenScreen | null,
  screen: TuiScreen,
  signals: TuiSignals,
  atMs: number,
): SeenScreen {
  const size = `${screen.cols}x${screen.rows}`;
  const isResized = before !== null && before.size !== size;
  return {
    signals,
    signature: screenSignature(screen.lines),
    title: screen.title,
    programReport: screen.programReport,
    size,
    resizedAtMs: isResized ? atMs : (before?.resizedAtMs ?? null),
  };
}

/**
 * Returns the anchor after a screen. An end stops being stale when it has left the screen: a later identical end belongs to
 * another Turn.
 */
function watchSubmit(anchor: TurnAnchor, seen: SeenScreen, atMs: number): TurnAnchor {
  const isStillThere = seen.signals.ending?.signature === anchor.staleEnding;
  const isEcho = atMs - anchor.sinceMs <= ECHO_MS;
  return {
    ...anchor,
    staleEnding: isStillThere ? anchor.staleEnding : null,
    submitted: anchor.submitted === null ? null : watchDraft(anchor, anchor.submitted, seen, isEcho),
  };
}

/** Text typed together with the submit is echoed within this time. */
const ECHO_MS = 1_000;

function watchDraft(
  { sinceMs }: TurnAnchor,
  submitted: SubmittedDraft,
  { signals, signature, resizedAtMs }: SeenScreen,
  isEcho: boolean,
): SubmittedDraft {
  if (submitted.wasTaken) return submitted;
  if (signals.activeReasons.length > 0) return { ...submitted, wasTaken: true };
  const draft = draftOf(signals);
  if (submitted.draft === null)
    return isEcho && draft !== null ? { ...submitted, draft, screenSignature: signature } : submitted;
  const isResized = resizedAtMs !== null && resizedAtMs >= sinceMs;
  const hasPainted = submitted.hasPainted || (signature !== submitted.screenSignature && !isResized);
  return { ...submitted, hasPainted, wasTaken: draft !== submitted.draft };
}

function followUp(
  settled: { isFollowedByInput: boolean },
  { editingInput, surface }: TuiSignals,
): { isFollowedByInput: boolean } {
  const isInput = editingInput === "yes" || surface.type === "menu" || surface.type === "dialog";
  return { isFollowedByInput: settled.isFollowedByInput || isInput };
}

/**
 * Returns the signature of a screen's readable text. Colours, padding and redraws do not change it, so that a screen counts as
 * unchanged although it is redrawn (H26).
 */
export function screenSignature(lines: readonly string[]): string {
  const text = lines.map((line) => stripped(line).trimEnd()).join("\n");
  return createHash("sha256").update(text.trimEnd()).digest("hex");
}

function stripped(line: string): string {
  return line.includes("\x1b") || line.includes("\x9b") ? stripVTControlCharacters(line) : line;
}
