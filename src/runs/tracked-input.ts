import type { Session } from "agent-tty";
import type { Clock } from "agent-tty/kit";
import {
  type Evidence,
  screenOfSnapshot,
  sendGate,
  sendRefused,
  type TrackedState,
  type Tracker,
} from "../tui/index.ts";
import type { InputGate } from "./input-gate.ts";
import type { Posture } from "./runner-verdict.ts";

export interface TrackedInput {
  gate: InputGate;
  posture: () => Promise<Posture>;
}

/** H39: the input of a tracked TUI in a Session. Nothing is typed unless the screen, as it is at that moment, allows it. */
export function trackedInput(
  session: Pick<Session, "detailedSnapshot" | "paste" | "sendKeys">,
  tracker: Tracker,
  clock: Clock,
): TrackedInput {
  const look = async (): Promise<TrackedState> => {
    const screen = screenOfSnapshot(await session.detailedSnapshot());
    return tracker.apply({ type: "screen", screen, atMs: clock.monotonicMs() });
  };
  return {
    posture: async () => postureOf(await look()),
    gate: {
      send: async (text, signal) => {
        const state = await look();
        signal.throwIfAborted();
        const verdict = sendGate(state);
        if (verdict.type === "closed") {
          const { remedy } = sendRefused(state, verdict.reason);
          return { type: "refused", reason: verdict.reason, remedy };
        }
        await session.paste(text);
        await session.sendKeys(["Enter"]);
        tracker.apply({ type: "submitted", atMs: clock.monotonicMs() });
        return { type: "sent" };
      },
    },
  };
}

/**
 * A row that says "working" counts while the live prompt is on the screen with it: without one it may be an old one,
 * above an answer that came since.
 */
export function postureOf(state: TrackedState): Posture {
  const { diagnostics, surface, turn } = state;
  if (diagnostics.availability !== "available") return "unknown";
  if (surface.shows.type === "dialog") return "waiting";
  if (turn.phase === "active")
    return surface.shows.type === "composer" && !isBelowPrompt(state) ? "busy" : "unknown";
  return turn.phase === "ready" ? "ready" : "unknown";
}

/** A status row stands above the prompt it keeps busy; below it, nothing but that row says that a Turn runs. */
function isBelowPrompt({ turn, evidence }: TrackedState): boolean {
  if (turn.activeReasons.some((reason) => reason !== "status_row")) return false;
  const promptRow = rowOf("accepting_input", evidence);
  const statusRow = rowOf("active", evidence);
  return promptRow !== null && statusRow !== null && statusRow > promptRow;
}

function rowOf(signal: Evidence["signal"], evidence: readonly Evidence[]): number | null {
  return evidence.find((one) => one.signal === signal)?.row ?? null;
}
