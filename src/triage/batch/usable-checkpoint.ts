import type { Checkpoint } from "../checkpoints/index.ts";
import { snapshotHash } from "../snapshot-hash.ts";
import type { BatchContext } from "./batch-context.ts";
import type { AssessedIssue } from "./candidate.ts";

/** Only decisions of the same issue may rest on it: policy 8. */
export function hashOf({ issue, comments }: AssessedIssue, { viewer }: Pick<BatchContext, "viewer">): string {
  return snapshotHash(issue, comments, viewer.id);
}

/** The checkpoint of this very issue as it is now; null: none. */
export async function usableCheckpoint(
  fresh: AssessedIssue,
  context: BatchContext,
): Promise<Checkpoint | null> {
  const checkpoint = await context.ports.checkpoints.read(fresh.issue.ref);
  return checkpoint?.snapshotHash === hashOf(fresh, context) ? checkpoint : null;
}
