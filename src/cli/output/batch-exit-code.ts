import type { BatchSummary } from "../../triage/index.ts";
import { exitCodes } from "../exit-codes.ts";

/** Returns 3 when an issue failed or a Coder workspace is stranded. Skipped and locked issues are not failures. */
export function exitCodeOfBatch(summary: BatchSummary): number {
  return summary.totals.failed > 0 || summary.stranded.length > 0 ? exitCodes.issueFailed : exitCodes.done;
}
