import type { BatchSummary } from "../../triage/index.ts";
import { exitCodes } from "../exit-codes.ts";

/** 3 when an issue failed or a Coder workspace is stranded; skipped and locked issues are no failure. */
export function exitCodeOfBatch(summary: BatchSummary): number {
  return summary.totals.failed > 0 || summary.stranded.length > 0 ? exitCodes.issueFailed : exitCodes.done;
}
