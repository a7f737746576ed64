import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";

/** The value that was read, or its problems: one English phrase per problem, which begins with the path of the value. */
export type ReadAs<T> = { type: "read"; value: T } | { type: "refused"; problems: string[] };

/**
 * Returns the validated value, or its problems, for input from people or other programs. It sets the error texts itself, because
 * the small build of the schema library has none.
 */
export function readAs<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): ReadAs<z.output<Schema>> {
  const parsed = schema.safeParse(value, { error: en().localeError });
  if (parsed.success) return { type: "read", value: parsed.data };
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")} ${message}`,
  );
  return { type: "refused", problems };
}
