import type { SemanticSnapshot } from "agent-tty";
import { type ClaudeScreen, readClaudeScreen } from "./claude-screen.ts";
import type { Step, TurnFacts, TurnPhase } from "./plan-step.ts";

/** What is carried from one look at the screen to the next. */
export interface TurnMemory {
  phase: TurnPhase;
  submits: number;
  still: { screenHash: string; sinceMs: number; askedAtMs: number | null };
  /** The reading of the screen that keys were sent to. Not its hash: a blinking dot is not an answer. */
  input: { reading: string; atMs: number } | null;
}

export const newTurn: TurnMemory = {
  phase: "starting",
  submits: 0,
  still: { screenHash: "", sinceMs: 0, askedAtMs: null },
  input: null,
};

export interface Look {
  memory: TurnMemory;
  facts: TurnFacts;
}

export function look(memory: TurnMemory, snapshot: SemanticSnapshot, nowMs: number): Look {
  const { screenHash } = snapshot;
  const isStill = memory.still.screenHash === screenHash;
  const still = isStill ? memory.still : { screenHash, sinceMs: nowMs, askedAtMs: null };
  const screen = readClaudeScreen(snapshot);
  const input = memory.input?.reading === reading(screen) ? memory.input : null;
  const { phase, submits } = memory;
  const sinceInputMs = input === null ? null : nowMs - input.atMs;
  const sinceAskedMs = still.askedAtMs === null ? null : nowMs - still.askedAtMs;
  return {
    memory: { phase, submits, still, input },
    facts: { phase, submits, screen, unchangedMs: nowMs - still.sinceMs, sinceInputMs, sinceAskedMs },
  };
}

export function remember({ memory, facts: { screen } }: Look, step: Step, nowMs: number): TurnMemory {
  switch (step.type) {
    case "press":
      return { ...memory, input: { reading: reading(screen), atMs: nowMs } };
    case "paste-prompt":
    case "submit-again": {
      const withDraft = screen.type === "ready" ? { ...screen, hasDraft: true } : screen;
      const input = { reading: reading(withDraft), atMs: nowMs };
      return { ...memory, phase: "submitted", submits: memory.submits + 1, input };
    }
    case "enter-phase":
      return { ...memory, phase: step.phase };
    case "turn-ended":
      return { ...memory, still: { ...memory.still, askedAtMs: nowMs } };
    case "wait":
    case "blocked":
      return memory;
    default:
      return step satisfies never;
  }
}

function reading(screen: ClaudeScreen): string {
  return JSON.stringify(screen);
}
