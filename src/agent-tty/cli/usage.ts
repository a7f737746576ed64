import { OperationalError } from "../kit/index.ts";

export function usageError(message: string, remedy: string): OperationalError<"USAGE"> {
  return new OperationalError({ code: "USAGE", message, remedy });
}

/** A whole number from `min` on, given as text. */
export function wholeNumber(name: string, text: string, min: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min) return value;
  throw usageError(
    `${name} takes a whole number from ${min}, not ${JSON.stringify(text)}`,
    "Correct the flag",
  );
}

export function positiveNumber(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw usageError(`${name} takes a number above 0, not ${JSON.stringify(text)}`, "Correct the flag");
}

export function oneOf<const Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw usageError(`${name} takes ${choices.join(", ")}, not ${JSON.stringify(text)}`, "Correct the flag");
}
