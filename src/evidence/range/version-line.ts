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
 * Returns the versions of one product, ascending by version number. Tags of other packages of the repository are skipped, and so
 * are prereleases unless there is nothing else. A version that has a tag and is published is read from its tag.
 */
export function versionLine({ tags, published, packageName }: VersionFacts): Version[] {
  const all = everyVersion({ tags, published, packageName });
  const stable = all.filter(({ number }) => number.prerelease.length === 0);
  return (stable.length > 0 ? stable : all).map(({ name, tag }) => ({ name, tag }));
}

/** Returns the versions of one product with its prereleases, ascending by version number. */
export function everyVersion({ tags, published, packageName }: VersionFacts): NumberedVersion[] {
  const tagged = ofOneProduct(tags.flatMap(readTag), packageName);
  const names = new Set(tagged.map(({ name }) => name));
  const registered = published.flatMap((name): NumberedVersion[] => {
    const number = parseVersion(name);
    return number === null || names.has(name) ? [] : [{ name, tag: null, number, prefix: "" }];
  });
  return withoutMoving([...tagged, ...registered]);
}

/**
 * Returns the versions by number, without each shorter tag of the same number: `v1.2` beside `v1.2.0` moves to the newest patch.
 */
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

/**
 * Returns the version of a tag such as `v1.2.3`, `1.2.3`, `package@1.2.3`, `package-v1.2.3` or `release/1.2.3`; empty for any other
 * tag.
 */
function readTag(tag: string): NumberedVersion[] {
  const found = /^(?:(.{0,200}?)(?<![0-9.a-z])|)v?(\d+\.\d.{0,60})$/i.exec(tag);
  const name = found?.[2] ?? "";
  const number = parseVersion(name);
  return number === null ? [] : [{ name, tag, number, prefix: (found?.[1] ?? "").toLowerCase() }];
}

/** Prefixes that name no package, as in `release/1.2.3`. */
const NEUTRAL_PREFIX = /^(?:release|rel|version|ver|stable)[^a-z0-9]*$/;

/**
 * Returns the tags of the package: those with its name, without a prefix, and with a neutral one. Projects change the form of
 * their tags, so several prefixes count, but only if their numbers do not overlap: otherwise they belong to several products.
 * If there are no such tags, returns those with the most frequent prefix.
 */
function ofOneProduct(versions: readonly NumberedVersion[], packageName: string | null): NumberedVersion[] {
  const prefixes = [...new Set(versions.map(({ prefix }) => prefix))];
  const lists = prefixes
    .map((prefix) => ({
      rank: rankOf(prefix, packageName),
      list: versions.filter((one) => one.prefix === prefix),
    }))
    .toSorted((a, b) => a.rank - b.rank || b.list.length - a.list.length);
  const counted: NumberedVersion[][] = [];
  for (const { rank, list } of lists) {
    const names = new Set(counted.flat().map(({ name }) => name));
    const more = list.filter(({ name }) => !names.has(name));
    if (rank < FOREIGN && counted.every((one) => areApart(one, more))) counted.push(more);
  }
  return counted.length > 0 ? counted.flat() : (lists[0]?.list ?? []);
}

/** The rank of a prefix that is neither the package's name nor neutral. */
const FOREIGN = 4;

function rankOf(prefix: string, packageName: string | null): number {
  const name = packageName?.toLowerCase() ?? "";
  if (prefix === "") return 2;
  if (nameIn(prefix) === name) return 0;
  if (isShortNameOf(prefix, name)) return 1;
  return NEUTRAL_PREFIX.test(prefix) ? 3 : FOREIGN;
}

/** Returns the name that a prefix contains: `core` for `core@` and `core-`; "": it contains none. */
function nameIn(prefix: string): string {
  return prefix.replace(/[^a-z0-9]+$/, "");
}

/** Returns whether a prefix is the short name of a package, such as `core@` and `packages/core/` for `@scope/core`. */
function isShortNameOf(prefix: string, name: string): boolean {
  const named = nameIn(prefix);
  const short = named.startsWith("@") ? named : named.slice(named.lastIndexOf("/") + 1);
  return short !== "" && short === name.slice(name.lastIndexOf("/") + 1);
}

/** Returns whether all versions of one list come before all of the other. */
function areApart(some: readonly NumberedVersion[], others: readonly NumberedVersion[]): boolean {
  const sorted = [some, others].map((list) => list.toSorted((a, b) => compareVersions(a.number, b.number)));
  const isBefore = ([a = [], b = []]: readonly NumberedVersion[][]): boolean => {
    const [last, first] = [a.at(-1), b[0]];
    return last === undefined || first === undefined || compareVersions(last.number, first.number) < 0;
  };
  return isBefore(sorted) || isBefore(sorted.toReversed());
}
