import { messageOf } from "agent-tty/kit";
import type { DetectorProfile, TuiDetector } from "../detector.ts";
import type { RuntimeFacts, TrackedState, Tracker, TrackerEvent } from "../tracked-state.ts";
import type { TuiScreen } from "../tui-screen.ts";
import { reduceTurn } from "./apply-rule.ts";
import { availabilityFacts, availabilityOf, nextAvailability } from "./availability.ts";
import { observeScreen, observeSubmit } from "./observe-screen.ts";
import { publish } from "./publish.ts";
import { nextTimer } from "./next-timer.ts";
import { watchQuiet } from "./recovery.ts";
import { TRACKER_DEFAULTS, type TrackerSettings } from "./settings.ts";
import { newMemory, type TurnMemory } from "./turn-memory.ts";

export interface TrackerOptions {
  profile: DetectorProfile;
  /** The version as the tool printed it; null when it was not queried. */
  observedVersion: string | null;
  profileExtrapolated: boolean;
  settings?: Partial<TrackerSettings>;
}

/**
 * Returns a tracker, which computes surface, Turn and last result (H2). Events must arrive in order of time; replaying them
 * produces the same states (H4).
 */
export function createTracker(options: TrackerOptions): Tracker {
  return new TurnTracker(options);
}

class TurnTracker implements Tracker {
  readonly #profile: DetectorProfile;
  readonly #settings: TrackerSettings;
  readonly #named: TrackedState["detector"];
  #detector: TuiDetector;
  #memory: TurnMemory = newMemory;
  #state: TrackedState;
  #publishedKey = "";

  constructor({ profile, observedVersion, profileExtrapolated, settings }: TrackerOptions) {
    this.#profile = profile;
    this.#settings = { ...TRACKER_DEFAULTS, ...settings };
    this.#named = { family: profile.family, profile: profile.name, observedVersion, profileExtrapolated };
    this.#detector = profile.create();
    const stability = { signature: "", stableSinceMs: 0 };
    this.#state = { ...publish(newMemory, this.#named), atMs: 0, stability };
  }

  get state(): TrackedState {
    return this.#state;
  }

  get nextTimerMs(): number | null {
    return nextTimer(this.#memory, this.#settings)?.dueMs ?? null;
  }

  apply(event: TrackerEvent): TrackedState {
    this.#runTimers(event.atMs);
    switch (event.type) {
      case "screen":
        this.#onScreen(event.screen, event.atMs);
        break;
      case "submitted":
        this.#memory = observeSubmit(this.#memory, event.atMs);
        this.#reduce(event.atMs);
        break;
      case "probed":
        this.#onProbe(event.runtime, event.atMs);
        break;
      case "tick":
        break;
      default:
        event satisfies never;
    }
    this.#state = { ...this.#state, atMs: event.atMs };
    return this.#state;
  }

  /** Runs every timer that is due before the event, each at its own time, so that ticks may be coarse. */
  #runTimers(untilMs: number): void {
    for (;;) {
      const timer = nextTimer(this.#memory, this.#settings);
      if (timer === null || timer.dueMs > untilMs) return;
      this.#memory = timer.fire(this.#memory);
      this.#publish(timer.dueMs);
    }
  }

  #onScreen(screen: TuiScreen, atMs: number): void {
    // The picture of a dead TUI, and text written over it, is not the TUI's state.
    if (this.#memory.runtime.process !== "gone") {
      try {
        this.#memory = observeScreen(this.#memory, screen, this.#detector.detect(screen, atMs), atMs);
      } catch (error) {
        this.#memory = { ...this.#memory, parseError: messageOf(error) };
      }
    }
    this.#reduce(atMs);
  }

  #onProbe(runtime: RuntimeFacts, atMs: number): void {
    const before = this.#memory.runtime;
    const isRestarted = before.process === "gone" && runtime.process === "alive";
    this.#memory = { ...this.#memory, runtime };
    // A new process paints its own screen; signals of the old one do not apply to it.
    if (isRestarted) {
      this.#detector = this.#profile.create();
      this.#memory = { ...this.#memory, seen: null };
    }
    this.#reduce(atMs);
  }

  #reduce(atMs: number): void {
    this.#memory = watchQuiet(assess(this.#memory, this.#profile.family === "unsupported_tool"), atMs);
    this.#memory = reduceTurn(this.#memory, atMs, this.#settings);
    this.#publish(atMs);
  }

  #publish(atMs: number): void {
    const published = publish(this.#memory, this.#named);
    const signature = this.#memory.seen?.signature ?? "";
    const { diagnostics, surface, turn, lastTurn } = published;
    const key = JSON.stringify([signature, diagnostics, surface, turn, lastTurn]);
    const isUnchanged = key === this.#publishedKey;
    this.#publishedKey = key;
    const stableSinceMs = isUnchanged ? this.#state.stability.stableSinceMs : atMs;
    this.#state = { ...published, atMs, stability: { signature, stableSinceMs } };
  }
}

/**
 * Returns the memory with the new availability. A Turn ends with its terminal (H13) or its TUI (H14). A failed probe or an
 * unreadable screen leaves the Turn unchanged.
 */
function assess(memory: TurnMemory, isUnsupported: boolean): TurnMemory {
  const { runtime, parseError, seen } = memory;
  const facts = availabilityFacts(runtime, {
    isUnsupported,
    parseError,
    hasSurface: seen !== null,
    hasDeparted: seen?.signals.surface.type === "departed",
  });
  const availability = nextAvailability(memory.availability, availabilityOf(facts));
  const isOver = availability === "tui_down" || availability === "unavailable";
  return isOver
    ? { ...memory, availability, anchor: null, settle: null, settled: null }
    : { ...memory, availability };
}
