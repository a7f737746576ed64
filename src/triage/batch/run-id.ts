/**
 * Returns the compact UTC run id, `YYYYMMDDTHHMMSSZ`, of an epoch time in milliseconds.
 * @example
 * runIdAt(0) // => "19700101T000000Z"
 */
export function runIdAt(epochMs: number): string {
  return new Date(epochMs)
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "");
}
