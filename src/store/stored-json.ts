import { z } from "zod";

/** Returns the schema of a JSON column: text in the database, a validated value outside. */
export function storedJson<T>(schema: z.ZodType<T>) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.issues.push({ code: "custom", message: "not JSON", input: text });
        return z.NEVER;
      }
    })
    .pipe(schema);
}
