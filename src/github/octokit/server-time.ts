/**
 * GitHub's clock as its answer tells it (`Date`, in whole seconds), in milliseconds since the Unix epoch; null where it does not.
 */
export function serverTimeMs(headers: Readonly<Record<string, string | number | undefined>>): number | null {
  const timeMs = Date.parse(String(headers["date"] ?? ""));
  return Number.isNaN(timeMs) ? null : timeMs;
}
