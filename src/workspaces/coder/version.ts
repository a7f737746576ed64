/** The first Coder whose `coder ssh -- command` has no PTY and propagates the exit status. */
export const MINIMUM_VERSION = "2.34.0";

/** Returns `v2.35.1+8b44bd6` or `2.35.1-devel+abc` as [2, 35, 1], or null if the text is not a version. */
export function parseVersion(text: string): [number, number, number] | null {
  const match = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:[-+].*)?$/.exec(text.trim());
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Returns whether a version is MINIMUM_VERSION or later; false for a text that cannot be parsed. */
export function isRecentEnough(text: string): boolean {
  const [major, minor] = parseVersion(text) ?? [0, 0];
  const [minimumMajor, minimumMinor] = parseVersion(MINIMUM_VERSION) ?? [0, 0];
  return major > minimumMajor || (major === minimumMajor && minor >= minimumMinor);
}
