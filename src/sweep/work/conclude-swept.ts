import type { CoderWorkspace } from "../../workspaces/index.ts";
import {
  type AssessedIssue,
  type BatchContext,
  type Publishable,
  type RunPatience,
  type RunRecord,
  takeInHand,
  withholdEvidence,
} from "../../triage/index.ts";
import type { SweptIssue } from "../swept/index.ts";
import { isCloseDue } from "../due/index.ts";
import { decideVerdict, type Verdict } from "../verdict/index.ts";
import { claimsOf } from "./claims-of.ts";
import { examineSwept } from "./examine-swept.ts";
import { heedObjection } from "./heed-objection.ts";
import { mayClose } from "./may-close.ts";
import { noteVerdict } from "./note-verdict.ts";
import { publishableClose, publishableVerdict } from "./publishable-verdict.ts";
import type { Sweep } from "./sweep.ts";

/** Examines a locked issue, saves its verdict, and returns what is to be published; null: nothing. */
export async function concludeSwept(
  fresh: AssessedIssue,
  workspace: CoderWorkspace,
  record: RunRecord,
  context: BatchContext,
  patience: RunPatience,
  sweep: Sweep,
): Promise<Publishable | null> {
  const { ref } = fresh.issue;
  const before = await sweep.library.read(ref);
  const claims = await claimsOf(fresh, before, context.ports);
  const run = await takeInHand(fresh, workspace, record, context, patience);
  const examined = await examineSwept(claims, workspace, run, sweep.settings);
  const isWithheld = examined.isVulnerability;
  if (isWithheld) await withholdEvidence(ref, record, context);
  record.throwIfLeaked();
  const verdict: Verdict = isWithheld
    ? { type: "withheld" }
    : decideVerdict({ number: ref.number, ...examined });
  const swept = noteVerdict(fresh, { verdict, examined, before }, record, context);
  // The verdict is saved before it is published, so that the runs are not repeated after a crash here (W5).
  await sweep.library.save(swept);
  record.note({ policy: [`verdict-${verdict.type}`] });
  return next(swept, fresh, record, context, sweep);
}

/** Returns the action after a verdict: the close that it confirms, a comment, or null for nothing. */
async function next(
  swept: SweptIssue,
  fresh: AssessedIssue,
  record: RunRecord,
  context: BatchContext,
  sweep: Sweep,
): Promise<Publishable | null> {
  const { issue } = fresh;
  const { library, settings } = sweep;
  const isDue = isCloseDue(swept, context.ports.clock.nowMs());
  if (isDue && mayClose(issue.ref.repo, context, settings))
    // People may object while the publication waits for its turn.
    return publishableClose(async (seen, signal) => {
      // The issue was closed by our own request, whose answer was lost.
      if (seen.issue.state === "closed") return null;
      const { close } = await heedObjection(swept, seen, { ...context, stop: signal }, library);
      return close.type === "cancelled" ? `close-cancelled-by-${close.why}` : null;
    });
  const heeded = await heedObjection(swept, fresh, context, library);
  if (swept.comment.type === "none") {
    record.settle("applied", swept.comment.why);
    return null;
  }
  if (await sweep.allowance.take(issue.ref)) return publishableVerdict(heeded, issue, context, sweep);
  record.settle("applied", "comment-limit");
  return null;
}
