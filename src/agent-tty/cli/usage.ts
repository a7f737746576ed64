import { OperationalError } from "../kit/index.ts";

/** Returns an error for arguments that the program does not accept (USAGE). */
export function usageError(message: string, remedy: string): OperationalError<"USAGE"> {
  return new OperationalError({ code: "USAGE", message, remedy });
}

/** Parses a whole number of at least `min`. Throws USAGE for anything else. */
export function wholeNumber(name: string, text: string, min: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min) return value;
  throw usageError(
    `${name} takes a whole number from ${min}, not ${JSON.stringify(text)}`,
    "Correct the flag",
  );
}

/** Parses a number above 0; fractions are allowed. Throws USAGE for anything else. */
export function positiveNumber(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw usageError(`${name} takes a number above 0, not ${JSON.stringify(text)}`, "Correct the flag");
}

/** Returns the choice that equals the text. Throws USAGE, with the list of choices, for anything else. */
export function oneOf<const Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw usageError(`${name} takes ${choices.join(", ")}, not ${JSON.stringify(text)}`, "Correct the flag");
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Returns the milliseconds of a duration such as `90s`, `30m`, `12h`, `7d` or `500ms`. Throws USAGE for any other text, including
 * a number other than 0 without a unit.
 */
export function durationMs(name: string, text: string): number {
  if (text === "0") return 0;
  const [, digits, unit] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text) ?? [];
  if (digits !== undefined) return Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
  throw usageError(
    `${name} takes a duration with its unit, such as 90s, 30m, 12h or 7d, not ${JSON.stringify(text)}`,
    "Correct the flag",
  );
}
