import { compareVersions, parseVersion, type VersionNumber } from "./version-number.ts";

/** A version on which a script can be run. */
export interface Version {
  /** The version without a leading `v` or package name, such as `1.2.3`. */
  name: string;
  /** null: only the registry has it. */
  tag: string | null;
}

interface NumberedVersion extends Version {
  number: VersionNumber;
  prefix: string;
}

export interface VersionFacts {
  /** Names of git tags. */
  tags: readonly string[];
  /** Versions that a registry lists; empty if the manifest names no registry package. */
  published: readonly string[];
  /** The package name in the manifest. In a repository with several packages, tags begin with it. null: there is none. */
  packageName: string | null;
}

/**
 * Returns the versions of one product, ascending by version number. Skips tags of other packages of the repository, and
 * prereleases unless there is nothing else. A version that has a tag and is published is read from its tag.
 */
export function versionLine({ tags, published, packageName }: VersionFacts): Version[] {
  const tagged = ofOneProduct(tags.flatMap(readTag), packageName);
  const names = new Set(tagged.map(({ name }) => name));
  const registered = published.flatMap((name): NumberedVersion[] => {
    const number = parseVersion(name);
    return number === null || names.has(name) ? [] : [{ name, tag: null, number, prefix: "" }];
  });
  const all = withoutMoving([...tagged, ...registered]);
  const stable = all.filter(({ number }) => number.prerelease.length === 0);
  return (stable.length > 0 ? stable : all).map(({ name, tag }) => ({ name, tag }));
}

/** Orders versions by number, and removes each shorter tag of the same number: `v1.2` beside `v1.2.0` moves to the newest patch. */
function withoutMoving(versions: readonly NumberedVersion[]): NumberedVersion[] {
  const length = ({ number }: NumberedVersion): number => number.numbers.length;
  const sorted = versions.toSorted((a, b) => compareVersions(a.number, b.number) || length(b) - length(a));
  return sorted.filter((one, at) => {
    const before = sorted[at - 1];
    return (
      before === undefined ||
      length(before) <= length(one) ||
      compareVersions(before.number, one.number) !== 0
    );
  });
}

/** `v1.2.3`, `1.2.3`, `package@1.2.3`, `package-v1.2.3`, `release/1.2.3`. */
function readTag(tag: string): NumberedVersion[] {
  const found = /^(?:(.{0,200}?)(?<![0-9.a-z])|)v?(\d+\.\d.{0,60})$/i.exec(tag);
  const name = found?.[2] ?? "";
  const number = parseVersion(name);
  return number === null ? [] : [{ name, tag, number, prefix: (found?.[1] ?? "").toLowerCase() }];
}

/** Returns the tags with one prefix: the package's name if a tag has it, otherwise no prefix, otherwise the most frequent one. */
function ofOneProduct(versions: readonly NumberedVersion[], packageName: string | null): NumberedVersion[] {
  const prefixes = [...new Set(versions.map(({ prefix }) => prefix))];
  const withPrefix = (wanted: string): NumberedVersion[] =>
    versions.filter(({ prefix }) => prefix === wanted);
  const named = prefixes.find((prefix) => packageName !== null && isNameOf(prefix, packageName));
  if (named !== undefined) return withPrefix(named);
  if (prefixes.includes("")) return withPrefix("");
  return prefixes.map(withPrefix).sort((a, b) => b.length - a.length)[0] ?? [];
}

function isNameOf(prefix: string, packageName: string): boolean {
  const name = packageName.toLowerCase();
  const begun = prefix.replace(/[^a-z0-9]+$/, "");
  return begun !== "" && (begun === name || begun === name.slice(name.lastIndexOf("/") + 1));
}
