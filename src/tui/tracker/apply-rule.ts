import type { TurnResult } from "../tracked-state.ts";
import type { TrackerSettings } from "./settings.ts";
import type { TurnAnchor, TurnMemory } from "./turn-memory.ts";
import { type TurnRule, turnRule } from "./turn-rule.ts";

/** Returns the memory after one step of the reducer. Applying it again to an unchanged screen changes nothing. */
export function reduceTurn(memory: TurnMemory, atMs: number, settings: TrackerSettings): TurnMemory {
  return applyRule(turnRule(memory), memory, atMs, settings);
}

function applyRule(rule: TurnRule, memory: TurnMemory, atMs: number, settings: TrackerSettings): TurnMemory {
  switch (rule) {
    case "degraded":
      return { ...memory, phase: "unknown", settle: null };
    case "interrupted":
      return endTurn(memory, "interrupted", atMs);
    case "known-failure":
      return endTurn(memory, "known_failure", atMs);
    case "active-evidence":
      return { ...armInference(memory, atMs), phase: "active", settle: null };
    case "success-candidate":
      return { ...awaitSettling(memory, atMs, settings), phase: "ready" };
    case "ambiguous-surface":
      return { ...memory, phase: "unknown", settle: isSettlingUnder("menu", memory) ? memory.settle : null };
    case "explicit-input-armed":
      return { ...memory, phase: "active", settle: null };
    case "ready-posture":
      return { ...memory, phase: "ready", settle: null };
    case "otherwise":
      return { ...memory, phase: "unknown", settle: null };
    default:
      return rule satisfies never;
  }
}

/** Returns the memory in which a candidate whose settle time has passed is a success (H33), unless it was one already. */
export function settleTurn(memory: TurnMemory): TurnMemory {
  const { settle, anchor } = memory;
  if (settle === null || anchor === null) return { ...memory, settle: null };
  const { source } = anchor;
  return {
    ...memory,
    anchor: null,
    settle: null,
    settled: { signature: settle.signature, source, isFollowedByInput: false },
    countedEnding: settle.signature,
    lastTurn: { result: "success", source, error: null, atMs: settle.dueMs },
  };
}

/** Returns whether a person opened a menu under the end of a Turn, which does not undo the end. */
function isSettlingUnder(surface: "menu", { seen }: TurnMemory): boolean {
  return seen?.signals.surface.type === surface;
}

function endTurn(
  memory: TurnMemory,
  result: Extract<TurnResult, "interrupted" | "known_failure">,
  atMs: number,
): TurnMemory {
  const ending = memory.seen?.signals.ending ?? null;
  const error = ending?.type === "known_failure" ? ending.error : null;
  return {
    ...memory,
    phase: "ready",
    anchor: null,
    settle: null,
    settled: null,
    countedEnding: ending?.signature ?? null,
    lastTurn: { result, source: memory.anchor?.source ?? "surface_inference", error, atMs },
  };
}

/**
 * Returns the memory with an inferred Turn. Only evidence of a Turn's work begins one; an idle prompt or a starting TUI does not.
 */
function armInference(memory: TurnMemory, atMs: number): TurnMemory {
  if (memory.anchor !== null || isStartOnly(memory)) return memory;
  const { settled } = memory;
  if (settled !== null && !settled.isFollowedByInput) return retract(memory, settled.source, atMs);
  return { ...memory, anchor: bareAnchor("surface_inference", atMs), settled: null };
}

function isStartOnly({ seen }: TurnMemory): boolean {
  return seen?.signals.activeReasons.every((reason) => reason === "session_start") ?? true;
}

function awaitSettling(memory: TurnMemory, atMs: number, settings: TrackerSettings): TurnMemory {
  const { anchor, settle, seen } = memory;
  const signature = seen?.signals.ending?.signature ?? "";
  const editingInput = seen?.signals.editingInput ?? "unknown";
  if (anchor === null) return reviewSettled(memory, signature, atMs, settings);
  if (settle?.signature === signature && settle.editingInput === editingInput) return memory;
  const isAnnounced = seen?.signals.ending?.type === "success_announced";
  const settleMs = settings.settleMs[anchor.source];
  const dueMs = atMs + (isAnnounced ? Math.min(settings.announcedSettleMs, settleMs) : settleMs);
  return { ...memory, settle: { signature, editingInput, dueMs } };
}

/**
 * Returns the memory in which a success is retracted because its Turn then ended differently (H34). Rewrapped lines and the end
 * of the next Turn do not retract it.
 */
function reviewSettled(
  memory: TurnMemory,
  signature: string,
  atMs: number,
  settings: TrackerSettings,
): TurnMemory {
  const { settled } = memory;
  if (settled === null || settled.signature === signature) return memory;
  if (settled.isFollowedByInput || isJustResized(memory, atMs, settings))
    return { ...memory, settled: { ...settled, signature }, countedEnding: signature };
  return awaitSettling(retract(memory, settled.source, atMs), atMs, settings);
}

function retract(memory: TurnMemory, source: TurnAnchor["source"], atMs: number): TurnMemory {
  return {
    ...memory,
    anchor: bareAnchor(source, atMs),
    settled: null,
    countedEnding: null,
    lastTurn: { result: "none", source: "none", error: null, atMs },
  };
}

function isJustResized({ seen }: TurnMemory, atMs: number, settings: TrackerSettings): boolean {
  const resizedAtMs = seen?.resizedAtMs ?? null;
  return resizedAtMs !== null && atMs - resizedAtMs <= settings.settleMs.surface_inference;
}

function bareAnchor(source: TurnAnchor["source"], sinceMs: number): TurnAnchor {
  return { source, sinceMs, staleEnding: null, submitted: null };
}
