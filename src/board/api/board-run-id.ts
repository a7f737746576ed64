import { z } from "zod";

/** The id of one Triage Run in the board's addresses: `<batch>:<owner>~<name>:<issue>`. The parts never contain a separator. */
export const boardRunIdSchema = z
  .string()
  .regex(/^\d{8}T\d{6}Z(?:-\w+)?:[\w.-]+~[\w.-]+:[1-9]\d{0,9}$/, {
    error: "not the name of a Triage Run (<batch>:<owner>~<name>:<issue>)",
  })
  .max(220);

export interface BoardRunKey {
  /** The run id of the Triage Batch. */
  runId: string;
  /** `owner/name` */
  repo: string;
  number: number;
}

/** Returns the id of a Triage Run in the board's addresses. */
export function boardRunId({ runId, repo, number }: BoardRunKey): string {
  return `${runId}:${repo.replace("/", "~")}:${number}`;
}

/** Returns the key in an id; null for any other text. */
export function parseBoardRunId(id: string): BoardRunKey | null {
  if (!boardRunIdSchema.safeParse(id).success) return null;
  const [runId = "", repo = "", number = ""] = id.split(":");
  return { runId, repo: repo.replace("~", "/"), number: Number(number) };
}
