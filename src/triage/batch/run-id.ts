/** Compact UTC run id, `YYYYMMDDTHHMMSSZ`, of an epoch time in milliseconds. */
export function runIdAt(epochMs: number): string {
  return new Date(epochMs)
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "");
}
