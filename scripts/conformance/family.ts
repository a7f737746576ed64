import { z } from "zod";
import type { CaseReport } from "./case-report.ts";

/** A family of cases: which files of the directory belong to it, and how their content is checked against the project. */
export interface Family {
  /** Matched against the file's name without its directory. */
  readonly files: RegExp;
  /** Returns whether a file with another name has cases of this family. */
  recognises(content: unknown): boolean;
  /**
   * Checks `content`, which is the JSON document, or the list of documents of a .jsonl file. Throws a ZodError if the content has
   * another shape.
   */
  check(content: unknown): Promise<readonly CaseReport[]>;
}

export function family<Schema extends z.ZodType>(
  files: RegExp,
  schema: Schema,
  check: (content: z.infer<Schema>) => readonly CaseReport[] | Promise<readonly CaseReport[]>,
): Family {
  return {
    files,
    recognises: () => false,
    check: async (content) => check(schema.parse(content)),
  };
}

/** The same for a schema that no other family has: files with other names belong to the family, too. */
export function recognisedFamily<Schema extends z.ZodType>(
  ...[files, schema, check]: Parameters<typeof family<Schema>>
): Family {
  return { ...family(files, schema, check), recognises: (content) => schema.safeParse(content).success };
}
