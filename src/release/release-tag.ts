import { parse, rcompare } from "semver";

/** `v1.2.3` for 1.2.3: the only form of a release tag. */
export function tagOf(version: string): string {
  return `v${version}`;
}

/** The version of a release tag; null for every other tag. */
export function versionOfTag(name: string): string | null {
  const version = name.startsWith("v") ? canonicalVersion(name.slice(1)) : null;
  return version;
}

/** The text when it is a semantic version exactly as it would be written; null otherwise. */
export function canonicalVersion(text: string): string | null {
  return parse(text)?.version === text ? text : null;
}

/** Versions of the release tags among `names`, the newest first. */
export function releasedVersions(names: readonly string[]): string[] {
  return names
    .map(versionOfTag)
    .filter((version) => version !== null)
    .toSorted(rcompare);
}

/** The branch on which a release is prepared, such as `release/v1.2.0`. */
export function releaseBranchOf(version: string): string {
  return `release/${tagOf(version)}`;
}
