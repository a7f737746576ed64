import type { Version } from "./detector.ts";

/** Returns the first `major.minor[.patch]` in a text, or null if there is none. */
export function parseVersion(text: string | null): Version | null {
  const match = /(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?/.exec(text ?? "");
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
}

/** Returns the order of two versions: negative if `a` is older, 0 if they are equal, positive if `a` is newer. */
export function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
