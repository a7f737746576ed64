/**
 * Returns the time of GitHub's clock in its answer (`Date`, in whole seconds), in milliseconds since the Unix epoch; null: the
 * answer has no such header.
 */
export function serverTimeMs(headers: Readonly<Record<string, string | number | undefined>>): number | null {
  const timeMs = Date.parse(String(headers["date"] ?? ""));
  return Number.isNaN(timeMs) ? null : timeMs;
}
