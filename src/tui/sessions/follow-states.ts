import { followScreen, type Home, sessionLiveness } from "agent-tty";
import type { Clock } from "agent-tty/kit";
import { sourceOfFollowedScreen, startLiveTracker, trackedStates, type TuiSource } from "../live/index.ts";
import type { ResolvedProfile } from "../registry.ts";
import { screenOfSnapshot } from "../screen-of-snapshot.ts";
import { createTracker } from "../tracker/index.ts";
import type { TuiScreen } from "../tui-screen.ts";
import type { SessionState } from "./session-state.ts";
import { SubmitWatch } from "./submit-watch.ts";

export interface FollowStatesOptions {
  detection: ResolvedProfile;
  clock: Clock;
  /** Ends the states; the Session continues. */
  signal: AbortSignal;
}

/** A killed host records no end in the Event Log, so the host is probed at this interval. */
const HOST_ASKED_EVERY_MS = 2_000;

/**
 * Yields the states of a living Session's TUI from now until its terminal ends (H3). It only reads. A submit in the recorded
 * input marks the start of a Turn (H1).
 */
export async function* followedStates(
  home: Home,
  sessionId: string,
  { detection, clock, signal }: FollowStatesOptions,
): AsyncGenerator<SessionState, void, undefined> {
  const submits = new SubmitWatch(detection.profile);
  let onInput = (_data: string): void => undefined;
  await using followed = await followScreen(home, sessionId, {
    onEvent: (record) => record.type === "input" && record.source === "user" && onInput(record.data),
  });
  const look = (): TuiScreen => screenOfSnapshot(followed.detailedSnapshot());
  const source = untilHostLost(sourceOfFollowedScreen(followed, clock), home, sessionId, clock);
  await using live = startLiveTracker({ source, tracker: createTracker(detection), clock });
  onInput = (data) => void (submits.isSubmit(data, look) && live.noteSubmit());
  for await (const state of trackedStates(live, signal)) {
    yield { state, seq: live.observe().seq, atMs: clock.nowMs() };
    if (state.diagnostics.availability === "unavailable") return;
  }
}

function untilHostLost(source: TuiSource, home: Home, sessionId: string, clock: Clock): TuiSource {
  let asked = { atMs: Number.NEGATIVE_INFINITY, isLost: false };
  return {
    ...source,
    probe: async () => {
      const seen = await source.probe();
      if (clock.monotonicMs() - asked.atMs >= HOST_ASKED_EVERY_MS) {
        const manifest = await home.readManifest(sessionId);
        asked = { atMs: clock.monotonicMs(), isLost: sessionLiveness(manifest) === "host-lost" };
      }
      return asked.isLost ? { terminal: "gone", process: "gone", probeError: null } : seen;
    },
  };
}
