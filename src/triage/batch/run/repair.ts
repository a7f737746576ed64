import { startDeadline } from "agent-tty/kit";
import { issueKey } from "../../../github/index.ts";
import { isProposal, planRepair, publicationTarget } from "../../publication/index.ts";
import { snapshotHash } from "../../snapshot-hash.ts";
import type { BatchContext } from "../batch-context.ts";
import type { Candidate } from "../candidate.ts";
import type { RunRecord } from "../run-record.ts";
import { CANONICAL_CLOSED, isCanonicalClosed } from "./canonical.ts";
import { apply, type Decided, untilAnswered, writeRest } from "./apply-plan.ts";
import { type LookValidity, startLook } from "./look.ts";
import { PUBLICATION_DEADLINE_MS } from "./publish.ts";

/**
 * Completes, from its marker, a publication that was interrupted after its comment. It needs no Triage Agent and writes no second
 * comment. `valid`: how long the look at the candidate is valid.
 */
export async function repair(
  { eligibility, issue, comments }: Candidate,
  valid: LookValidity,
  record: RunRecord,
  context: BatchContext,
): Promise<void> {
  if (eligibility.type !== "repair") throw new Error("only a publication that was cut off can be repaired");
  context.stop.throwIfAborted();
  record.phase("applying", "repairing a publication that was cut off");
  const { clock } = context.ports;
  const { ref } = issue;
  const attempted = `repairing the publication on ${issueKey(ref)}`;
  using deadline = startDeadline(clock, attempted, PUBLICATION_DEADLINE_MS);
  const { signal } = deadline;
  const { notes } = eligibility;
  const plan = planRepair(notes, issue, context.settings.labels);
  const { target } = plan;
  const isAccepted = isProposal(notes);
  record.note({
    reason: isAccepted ? "proposal-accepted" : "repair",
    category: target.category,
    outcome: target.state,
    policy: [isAccepted ? "proposal-accepted" : "repaired"],
    commentUrl: notes.comment.url,
  });
  const decided: Decided = {
    ref,
    runId: notes.marker.run,
    target,
    level: "apply",
    snapshotHash: snapshotHash(issue, comments, context.viewer.id),
  };
  const begin = { labels: issue.labels, before: notes.comment, decided, valid };
  let isFirst = true;
  const attempt = async (): Promise<void> => {
    if (await isCanonicalClosed(ref, publicationTarget(notes), context.ports, signal))
      return record.settle("requeued", CANONICAL_CLOSED);
    if (isFirst) {
      isFirst = false;
      return apply(plan, begin, record, context, signal);
    }
    using again = startLook(clock, ref);
    const lookup = await context.ports.reader.issue(ref, signal);
    if (lookup.type === "gone") return record.settle("requeued", `issue-${lookup.reason}`);
    const seen = { notes, issue: lookup.issue };
    await writeRest(seen, decided, target, again, { record, context, signal });
  };
  await untilAnswered(attempt, PUBLICATION_DEADLINE_MS, { context, signal });
}
