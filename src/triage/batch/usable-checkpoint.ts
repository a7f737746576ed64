import type { Person } from "../../github/index.ts";
import type { Checkpoint } from "../checkpoint.ts";
import type { CheckpointLibrary } from "../checkpoint-library.ts";
import { snapshotHash } from "../snapshot-hash.ts";
import type { AssessedIssue } from "./candidate.ts";

/** Returns the snapshot hash of the issue. A checkpoint may be used only while this hash is the same (policy 8). */
export function hashOf({ issue, comments }: AssessedIssue, { viewer }: { viewer: Person }): string {
  return snapshotHash(issue, comments, viewer.id);
}

/** Where checkpoints are read, and the account whose own comments do not change an issue's snapshot. */
interface CheckpointDeps {
  viewer: Person;
  ports: { checkpoints: CheckpointLibrary };
}

/** Returns the checkpoint for the issue's present snapshot; null: there is none. */
export async function usableCheckpoint(
  fresh: AssessedIssue,
  context: CheckpointDeps,
): Promise<Checkpoint | null> {
  const checkpoint = await context.ports.checkpoints.read(fresh.issue.ref);
  return checkpoint?.snapshotHash === hashOf(fresh, context) ? checkpoint : null;
}
