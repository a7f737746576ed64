import { compareVersions, parseVersion } from "./version.ts";

/**
 * The versions of each tracked TUI, by its program's name, whose recordings `npm run conformance` scores; oldest
 * first.
 */
export const TESTED_VERSIONS = {
  claude: ["2.1.197", "2.1.329", "2.1.330", "2.1.332"],
  codex: ["0.98.0", "0.144.6", "0.169.0", "0.171.0"],
  gemini: ["0.61.0"],
  opencode: ["1.18.33"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type TestedTool = keyof typeof TESTED_VERSIONS;

/**
 * How a version relates to the recorded ones. `between`: recordings of an older and of a newer version are tracked. `untested`:
 * outside the range of recordings.
 */
export type VersionStanding = "tested" | "between" | "untested";

/**
 * Returns how a version relates to the recorded ones. `version` is as the tool prints it, e.g. `2.1.330 (Claude Code)`; null when
 * unknown.
 */
export function versionStanding(tool: TestedTool, version: string | null): VersionStanding {
  const seen = parseVersion(version);
  if (seen === null) return "untested";
  const orders = TESTED_VERSIONS[tool].flatMap((tested) => {
    const known = parseVersion(tested);
    return known === null ? [] : [compareVersions(seen, known)];
  });
  if (orders.includes(0)) return "tested";
  return orders.some((order) => order > 0) && orders.some((order) => order < 0) ? "between" : "untested";
}
