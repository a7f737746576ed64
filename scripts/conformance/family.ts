import { z } from "zod";
import type { CaseReport } from "./case-report.ts";

/** A family of cases: which files of the directory are its, and how their content is put to the project. */
export interface Family {
  /** Matches the name alone, whatever directory it is in. */
  readonly files: RegExp;
  /** Whether a file of another name has cases of this family. */
  recognises(content: unknown): boolean;
  /** `content` is the JSON document, or the list of documents of a .jsonl file. Throws a ZodError on another shape. */
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

/** The same for a schema that is of no other family: also files of other names are its. */
export function recognisedFamily<Schema extends z.ZodType>(
  ...[files, schema, check]: Parameters<typeof family<Schema>>
): Family {
  return { ...family(files, schema, check), recognises: (content) => schema.safeParse(content).success };
}
