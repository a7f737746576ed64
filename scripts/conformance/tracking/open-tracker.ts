import {
  createTracker,
  resolveProfile,
  type TuiDetector,
  type Tracker,
  type TrackerSettings,
} from "../../../src/tui/index.ts";

/** Opens the tracker for a terminal with this tool; `settleMs` is for cases that use the same time for every end. */
export function openTracker(
  tool: string,
  observedVersion: string | null,
  { settleMs }: { settleMs?: number } = {},
): Tracker {
  const settings = settleMs === undefined ? {} : settleAfter(settleMs);
  return createTracker({ ...resolveProfile({ tool, observedVersion }), settings });
}

function settleAfter(durationMs: number): Partial<TrackerSettings> {
  return {
    settleMs: { explicit_input: durationMs, surface_inference: durationMs },
    announcedSettleMs: durationMs,
  };
}

export function openDetector(tool: string, observedVersion: string | null): TuiDetector {
  return resolveProfile({ tool, observedVersion }).profile.create();
}

/** Translates the cases' name of a tool; returns null for a tool that is not tracked here. */
export function toolOf(app: string): string | null {
  return { claude_code: "claude", codex_tui: "codex" }[app] ?? null;
}
