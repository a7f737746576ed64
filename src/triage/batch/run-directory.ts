import { join } from "node:path";
import type { IssueRef } from "../../github/index.ts";

/** Where everything kept of one Triage Run stands: `<home>/runs/<run id>/<owner>__<name>-<n>`. */
export function runDirectory(runsDirectory: string, runId: string, { repo, number }: IssueRef): string {
  return join(runsDirectory, runId, `${repo.replace("/", "__")}-${number}`);
}
