import { z } from "zod";
import { parseDuration } from "../notation/index.ts";

function withoutUnit(number: number): string {
  return `expected a duration such as 90s, 20m or 7d, got ${number} without a unit: write ${number}m for minutes`;
}

/** Parses a duration as written in the config file or on the command line into milliseconds. */
export const durationMs = z
  .string({ error: ({ input }) => (typeof input === "number" ? withoutUnit(input) : undefined) })
  .transform((text, context) => {
    const parsed = parseDuration(text);
    if (parsed !== null) return parsed;
    context.addIssue({
      code: "custom",
      message: `expected a duration such as 90s, 20m or 7d, got "${text}"`,
    });
    return z.NEVER;
  })
  .meta({ format: "duration" });
