const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const PART = /(\d+)\s*(ms|s|m|h|d)\b/g;

/** Parses durations like "90s" or "2h 30m" and returns milliseconds. */
export function parseDuration(text) {
  const parts = [...String(text).matchAll(PART)];
  if (parts.length === 0) throw new RangeError(`not a duration: ${JSON.stringify(text)}`);
  return parts.reduce((total, [, amount, unit]) => total + Number(amount) * UNIT_MS[unit], 0);
}
