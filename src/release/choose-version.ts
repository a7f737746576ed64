import { gt, inc, major, type ReleaseType } from "semver";
import type { Changelog } from "./read-changelog.ts";
import type { ReleaseCommit } from "./read-commits.ts";
import { type Refusal, refused } from "./release-error.ts";
import { canonicalVersion, tagOf } from "./release-tag.ts";

const BUMP_LEVELS = ["patch", "minor", "major"] as const;
export type BumpLevel = (typeof BUMP_LEVELS)[number];

/** The version or step that the user asked for. */
export type VersionWish =
  | { type: "choose" }
  | { type: "bump"; level: BumpLevel }
  | { type: "exact"; version: string };

export interface VersionFacts {
  /** The version in package.json of the base commit. */
  packageVersion: string;
  /** The version of the newest release tag below the base; null before the first release. */
  lastVersion: string | null;
  commits: readonly ReleaseCommit[];
  changelog: Changelog;
}

export interface ChosenVersion {
  type: "chosen";
  version: string;
  /** The reasons, each a sentence for people. */
  reasons: string[];
}

/** Returns the next version, with the reasons for it. */
export function chooseVersion(facts: VersionFacts, wish: VersionWish): ChosenVersion | Refusal {
  const { packageVersion, lastVersion } = facts;
  if (canonicalVersion(packageVersion) === null)
    return refused(
      "RELEASE_PACKAGE_UNUSABLE",
      `choose the next version: package.json has the version ${packageVersion}`,
      "Give package.json a semantic version such as 0.1.0.",
    );
  if (wish.type === "exact") return exactVersion(wish.version, lastVersion);
  if (lastVersion === null) return firstVersion(packageVersion, wish);
  if (wish.type === "bump")
    return chosen(raised(lastVersion, wish.level), [`--bump ${wish.level} after ${lastVersion}`]);
  const { level, reasons } = levelOf(facts, major(lastVersion) === 0);
  const version = raised(lastVersion, level);
  return gt(packageVersion, version)
    ? chosen(packageVersion, [`package.json already says ${packageVersion}`])
    : chosen(version, reasons);
}

function exactVersion(version: string, lastVersion: string | null): ChosenVersion | Refusal {
  if (canonicalVersion(version) === null)
    return refused(
      "RELEASE_VERSION_REFUSED",
      `prepare ${version}: it is not a semantic version`,
      "Name one such as 1.2.0.",
    );
  if (lastVersion === null || gt(version, lastVersion)) return chosen(version, [`--version ${version}`]);
  return refused(
    "RELEASE_VERSION_REFUSED",
    `prepare ${version}: ${tagOf(lastVersion)} is released already`,
    `Name a version above ${lastVersion}, or none.`,
  );
}

function firstVersion(packageVersion: string, wish: VersionWish): ChosenVersion {
  if (wish.type === "bump") return chosen(raised(packageVersion, wish.level), [`--bump ${wish.level}`]);
  return packageVersion === "0.0.0"
    ? chosen("0.1.0", ["the first release"])
    : chosen(packageVersion, ["no release tag yet: the first release has the version of package.json"]);
}

/**
 * Returns the step of the version. Below 1.0.0 a breaking change raises only the minor version, because 1.0.0 is a decision that a
 * person makes.
 */
function levelOf(
  { commits, changelog }: Pick<VersionFacts, "commits" | "changelog">,
  isBelowOne: boolean,
): { level: BumpLevel; reasons: string[] } {
  const evidence = [
    ...commits.map(commitEvidence),
    ...(changelog.unreleased?.groups.map(groupEvidence) ?? []),
  ];
  const strongest = BUMP_LEVELS.findLast((level) => evidence.some((one) => one.level === level)) ?? "patch";
  const named = evidence.filter(({ level, reason }) => level === strongest && reason !== null);
  const reasons = named.slice(0, MAX_REASONS).map(({ reason }) => reason ?? "");
  const more = named.length > MAX_REASONS ? [`and ${named.length - MAX_REASONS} more`] : [];
  if (strongest === "major" && isBelowOne)
    return { level: "minor", reasons: [...reasons, ...more, "below 1.0.0 a breaking change is a minor one"] };
  const fallback = reasons.length === 0 ? ["no feature and nothing breaking"] : [];
  return { level: strongest, reasons: [...reasons, ...more, ...fallback] };
}

const MAX_REASONS = 5;

interface BumpEvidence {
  level: BumpLevel;
  reason: string | null;
}

function commitEvidence({ hash, type, subject, isBreaking }: ReleaseCommit): BumpEvidence {
  const named = `commit ${hash.slice(0, 8)}: ${subject}`;
  if (isBreaking) return { level: "major", reason: `breaking ${named}` };
  if (type === "feat") return { level: "minor", reason: `feature ${named}` };
  return { level: "patch", reason: null };
}

/** Returns the step that a group of the changelog requires. https://keepachangelog.com/en/1.1.0/ names the groups. */
function groupEvidence(heading: string): BumpEvidence {
  const reason = `CHANGELOG.md has entries under "${heading}"`;
  if (/^(?:removed|breaking)\b/i.test(heading)) return { level: "major", reason };
  if (/^(?:added|deprecated)\b/i.test(heading)) return { level: "minor", reason };
  return { level: "patch", reason: null };
}

function raised(version: string, level: ReleaseType): string {
  const next = inc(version, level);
  if (next === null) throw new Error(`${version} is not a semantic version`);
  return next;
}

function chosen(version: string, reasons: string[]): ChosenVersion {
  return { type: "chosen", version, reasons };
}
