const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Reads `90s`, `20m` or `7d` as milliseconds; null when the text is not a duration.
 * @example
 * parseDuration("20m") // => 1200000
 * parseDuration("soon") // => null
 */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return null;
  const durationMs = Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
  return durationMs > 0 ? durationMs : null;
}

/**
 * Writes milliseconds in the form that the config file takes, with the largest whole unit.
 * @example
 * writeDuration(1_200_000) // => "20m"
 */
export function writeDuration(durationMs: number): string {
  const fitting = Object.entries(UNIT_MS).filter(([, unitMs]) => durationMs % unitMs === 0);
  const [unit, unitMs] = fitting.at(-1) ?? ["ms", 1];
  return `${durationMs / unitMs}${unit}`;
}
