import { z } from "zod";
import type { CaseReport } from "./case-report.ts";

/** A family of cases: which files of the directory are its, and how their content is put to the project. */
export interface Family {
  /** Of the path inside the directory. */
  readonly files: RegExp;
  /** `content` is the JSON document, or the list of documents of a .jsonl file. Throws a ZodError on another shape. */
  check(content: unknown): Promise<readonly CaseReport[]>;
}

export function family<Schema extends z.ZodType>(
  files: RegExp,
  schema: Schema,
  check: (content: z.infer<Schema>) => readonly CaseReport[] | Promise<readonly CaseReport[]>,
): Family {
  return { files, check: async (content) => check(schema.parse(content)) };
}
