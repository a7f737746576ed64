import {
  createTracker,
  resolveProfile,
  TRACKER_DEFAULTS,
  type TuiDetector,
  type Tracker,
} from "../../../src/tui/index.ts";

/** The tracker that a terminal with this tool gets; `settleMs` is for cases that were made with another. */
export function openTracker(
  tool: string,
  observedVersion: string | null,
  { settleMs = TRACKER_DEFAULTS.settleMs.explicit_input }: { settleMs?: number } = {},
): Tracker {
  const settings = { settleMs: { explicit_input: settleMs, surface_inference: settleMs } };
  return createTracker({ ...resolveProfile({ tool, observedVersion }), settings });
}

export function openDetector(tool: string, observedVersion: string | null): TuiDetector {
  return resolveProfile({ tool, observedVersion }).profile.create();
}

/** What the cases call the tools; null: one that is not tracked here. */
export function toolOf(app: string): string | null {
  return { claude_code: "claude", codex_tui: "codex" }[app] ?? null;
}
