import type { Range, RangeEnd, VersionOfProduct } from "../grade.ts";
import { shortName } from "./walk.ts";

/**
 * Returns a range as sentences for people. They contain no free text of strangers: versions are parsed numbers, and all other
 * values come from git or npm.
 */
export function describeRange({ firstBad, firstFixed, notes }: Range): string[] {
  return [`First bad: ${describeEnd(firstBad)}`, `First fixed: ${describeEnd(firstFixed)}`, ...notes];
}

function describeEnd(end: RangeEnd): string {
  switch (end.type) {
    case "exact":
      return `${named(end.at)}.`;
    case "initial":
      return `${named(end.at)}; no older version that could be run is free of the bug.`;
    case "interval":
      return `after ${named(end.after)}, at the latest in ${named(end.upTo)}. ${end.untestable}`;
    case "never":
      return "no version or commit yet.";
    case "unknown":
      return `not known. ${end.reason}`;
  }
}

function named({ version, commit }: VersionOfProduct): string {
  const short = commit === null ? null : `commit ${shortName(commit)}`;
  if (version === null) return short ?? "a commit that is not known";
  return short === null ? version : `${version} (${short})`;
}
