import { parse, rcompare } from "semver";

/** Returns `v1.2.3` for 1.2.3, the only form of a release tag. */
export function tagOf(version: string): string {
  return `v${version}`;
}

/** Returns the version of a release tag; null for every other tag. */
export function versionOfTag(name: string): string | null {
  const version = name.startsWith("v") ? canonicalVersion(name.slice(1)) : null;
  return version;
}

/** Returns the text if it is a semantic version in its canonical form; null otherwise. */
export function canonicalVersion(text: string): string | null {
  return parse(text)?.version === text ? text : null;
}

/** Returns the versions of the release tags among `names`, newest first. */
export function releasedVersions(names: readonly string[]): string[] {
  return names
    .map(versionOfTag)
    .filter((version) => version !== null)
    .toSorted(rcompare);
}

/** Returns the branch on which a release is prepared, such as `release/v1.2.0`. */
export function releaseBranchOf(version: string): string {
  return `release/${tagOf(version)}`;
}
