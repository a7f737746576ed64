import type { Session } from "agent-tty";
import type { Clock } from "agent-tty/kit";
import { screenOfSnapshot, sendGate, sendRefused, type TrackedState, type Tracker } from "../tui/index.ts";
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
export function postureOf({ diagnostics, surface, turn }: TrackedState): Posture {
  if (diagnostics.availability !== "available") return "unknown";
  if (surface.shows.type === "dialog") return "waiting";
  if (turn.phase === "active") return surface.shows.type === "composer" ? "busy" : "unknown";
  return turn.phase === "ready" ? "ready" : "unknown";
}
