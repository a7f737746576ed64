import semver from "semver";

/** A version number of any ecosystem: two to four numbers and the parts of a prerelease. */
export interface VersionNumber {
  readonly numbers: readonly number[];
  /** Empty for a stable release. */
  readonly prerelease: readonly string[];
}

const STABLE_SUFFIX = /^(?:final|ga|release|post\d*)$/i;
const VERSION =
  /^v?(\d{1,9}(?:\.\d{1,9}){1,3})(?:[-._]?([a-z][0-9a-z.-]{0,40}|(?<=-)[0-9a-z.-]{1,40}))?(?:\+.*)?$/i;

/**
 * Returns the version number in `1.2.3`, `v1.2`, `1.2.3-beta.1` (semver), `1.2rc1` (Python) and `1.2.3.Final` (Java); null: the
 * text is not a version number.
 */
export function parseVersion(text: string): VersionNumber | null {
  const found = VERSION.exec(text);
  if (found?.[1] === undefined) return null;
  const suffix = found[2] ?? "";
  const numbers = found[1].split(".").map(Number);
  if (suffix === "" || STABLE_SUFFIX.test(suffix)) return { numbers, prerelease: [] };
  return { numbers, prerelease: suffix.split(/[.-]|(?<=[a-z])(?=\d)/i) };
}

/**
 * Returns the order of two versions by number, not by date; a prerelease comes before its release. Missing numbers count as zeros.
 */
export function compareVersions(a: VersionNumber, b: VersionNumber): number {
  for (let at = 0; at < 4; at += 1) {
    const difference = (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return b.prerelease.length - a.prerelease.length;
  return comparePrereleases(a.prerelease, b.prerelease);
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (const [at, identifier] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order = semver.compareIdentifiers(identifier, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
