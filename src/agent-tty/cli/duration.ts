import { usageError } from "./usage.ts";

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `30m`, `12h`, `7d`, `500ms`; a bare number is milliseconds. */
export function durationMs(name: string, text: string): number {
  const [, digits, unit = "ms"] = /^(\d{1,12})(ms|s|m|h|d)?$/.exec(text) ?? [];
  if (digits !== undefined) return Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
  throw usageError(
    `${name} takes a duration such as 90s, 30m, 12h or 7d, not ${JSON.stringify(text)}`,
    "Correct the flag",
  );
}
