import { type Deadline, OperationalError, startDeadline } from "agent-tty/kit";
import type { CoderWorkspace } from "../../workspaces/index.ts";
import type { BatchContext } from "./batch-context.ts";
import type { Candidate } from "./select-issues.ts";
import { RunRecord } from "./run-record.ts";
import { holdWorkspace } from "./hold-workspace.ts";
import { publishDecision } from "./publish.ts";
import { recheckEligibility } from "./recheck.ts";
import { repairPublication } from "./publish.ts";
import type { IssueSummary } from "./summary.ts";
import { workOut } from "./work-out.ts";
import { messageOf } from "agent-tty/kit";

/**
 * One issue, from the lock to the deletion: create (name = lock) → re-query → work out a decision → re-check → apply →
 * always destroy. Never rejects: whatever happens becomes the issue's line in the summary.
 */
export async function triageIssue(candidate: Candidate, context: BatchContext): Promise<IssueSummary> {
  const record = new RunRecord(candidate, context);
  try {
    if (candidate.eligibility.type === "repair") {
      await repairPublication(candidate, candidate.eligibility, record, context);
    } else {
      await triageUnderLock(candidate, record, context);
    }
  } catch (error) {
    record.fail(error);
  }
  return record.finish();
}
