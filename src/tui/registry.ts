import { OperationalError } from "agent-tty/kit";
import { codexProfiles } from "./codex/index.ts";
import type { DetectorProfile, Version } from "./detector.ts";
import { compareVersions, parseVersion } from "./version.ts";
import { claudeCodeProfiles } from "./claude-code/index.ts";
import { geminiProfiles } from "./gemini/index.ts";
import { opencodeProfiles } from "./opencode/index.ts";
import { UNSUPPORTED_PROFILES } from "./unsupported-profiles.ts";

export type RegistryErrorCode = "TUI_PROFILE_UNKNOWN";

export interface ProfileRequest {
  /** The tool's name, e.g. `claude`. */
  tool: string;
  /** The version as the tool prints it, e.g. `2.1.81 (Claude Code)`; null when it was not queried. */
  observedVersion: string | null;
  /** The name of a profile to use instead of the one chosen by version. */
  profile?: string;
}

export interface ResolvedProfile {
  profile: DetectorProfile;
  observedVersion: string | null;
  /** Whether the profile was not tested with this version (H7). */
  profileExtrapolated: boolean;
}

/** The profiles of each tool by the name of its program, one line per tool. */
const TOOLS: Readonly<Record<string, readonly DetectorProfile[]>> = {
  claude: claudeCodeProfiles,
  codex: codexProfiles,
  gemini: geminiProfiles,
  opencode: opencodeProfiles,
};

/**
 * Returns the profile of a tool (H6) with the closest floor at or below the version (H7), or the profile that the request names.
 * Throws TUI_PROFILE_UNKNOWN for an unknown profile name.
 */
export function resolveProfile(request: ProfileRequest, tools = TOOLS): ResolvedProfile {
  const { tool, observedVersion } = request;
  const candidates = Object.hasOwn(tools, tool) ? (tools[tool] ?? []) : UNSUPPORTED_PROFILES;
  const version = parseVersion(observedVersion);
  const profile =
    request.profile === undefined ? closest(candidates, version) : named(candidates, request.profile, tool);
  return { profile, observedVersion, profileExtrapolated: isExtrapolated(profile, version) };
}

/** Returns whether the tool has a detector of its own. */
export function isTrackedTool(tool: string): boolean {
  return Object.hasOwn(TOOLS, tool);
}

function closest(candidates: readonly DetectorProfile[], version: Version | null): DetectorProfile {
  const serving = candidates.filter(
    ({ floor }) => floor === null || (version !== null && compareVersions(floor, version) <= 0),
  );
  const best = serving.toSorted((a, b) => compareFloors(b.floor, a.floor))[0];
  if (best === undefined) throw new Error("every family of detectors has a profile without a floor");
  return best;
}

function named(candidates: readonly DetectorProfile[], name: string, tool: string): DetectorProfile {
  const found = candidates.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const names = candidates.map((profile) => profile.name).join(", ");
  throw new OperationalError<RegistryErrorCode>({
    code: "TUI_PROFILE_UNKNOWN",
    message: `no detector profile is named "${name}" for ${tool}`,
    remedy: `Use one of ${names}, or omit the name to choose the profile by version.`,
    details: { tool, profile: name },
  });
}

function isExtrapolated({ floor, testedBelow }: DetectorProfile, version: Version | null): boolean {
  if (version === null || testedBelow === null) return true;
  const isBelow = floor !== null && compareVersions(version, floor) < 0;
  return isBelow || compareVersions(version, testedBelow) >= 0;
}

function compareFloors(a: Version | null, b: Version | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareVersions(a, b);
}
