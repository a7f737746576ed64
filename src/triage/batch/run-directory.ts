import { join } from "node:path";
import type { IssueRef } from "../../github/index.ts";

/** Returns the directory with everything that is kept of one Triage Run: `<home>/runs/<run id>/<owner>__<name>-<n>`. */
export function runDirectory(runsDirectory: string, runId: string, { repo, number }: IssueRef): string {
  return join(runsDirectory, runId, `${repo.replace("/", "__")}-${number}`);
}
