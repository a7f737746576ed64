import type { AssessedIssue, BatchContext, BatchPorts } from "../../triage/index.ts";
import { findObjection } from "../due/index.ts";
import type { SweptIssue, SweptLibrary } from "../swept/index.ts";

/** The batch's facts that an objection rests on. */
export type ObjectionContext = Pick<BatchContext, "viewer" | "stop"> & {
  ports: Pick<BatchPorts, "clock" | "reader">;
};

/**
 * Cancels the close that our last comment proposed, for good, if somebody has objected to it (W3). To be asked before the close, and before
 * another comment takes the place of that one: objections are looked for beside the last comment only.
 */
export async function heedObjection(
  swept: SweptIssue,
  { issue, comments }: Pick<AssessedIssue, "issue" | "comments">,
  { ports, viewer, stop }: ObjectionContext,
  library: Pick<SweptLibrary, "save">,
): Promise<SweptIssue> {
  const { said, close } = swept;
  if (close.type !== "open" || said === null || said.closeAfter === null) return swept;
  // A comment that is gone answers 404: somebody took it away.
  const isThere = comments.some(({ id }) => id === said.commentId);
  const reactions = isThere ? await ports.reader.reactions(issue.ref, said.commentId, stop) : null;
  const objection = findObjection(said, { issue, comments, reactions, viewerId: viewer.id });
  if (objection === null) return swept;
  const at = new Date(ports.clock.nowMs()).toISOString();
  const cancelled: SweptIssue = { ...swept, close: { type: "cancelled", why: objection, at } };
  await library.save(cancelled);
  return cancelled;
}
