import type { AssessedIssue, BatchContext, BatchPorts } from "../../triage/index.ts";
import { findObjection } from "../due/index.ts";
import type { SweptIssue, SweptLibrary } from "../swept/index.ts";

/** The batch's facts that are needed to find an objection. */
export type ObjectionContext = Pick<BatchContext, "viewer" | "stop"> & {
  ports: Pick<BatchPorts, "clock" | "reader">;
};

/**
 * Permanently cancels the close that our last comment proposed if a person has objected to it (W3). It must be called before the
 * close, and before another comment replaces that one, because objections are searched for only after the last comment.
 */
export async function heedObjection(
  swept: SweptIssue,
  { issue, comments }: Pick<AssessedIssue, "issue" | "comments">,
  { ports, viewer, stop }: ObjectionContext,
  library: Pick<SweptLibrary, "save">,
): Promise<SweptIssue> {
  const { said, close } = swept;
  if (close.type !== "open" || said === null || said.closeAfter === null) return swept;
  // Requests for a removed comment fail with 404, so its reactions are not requested.
  const isThere = comments.some(({ id }) => id === said.commentId);
  const reactions = isThere ? await ports.reader.reactions(issue.ref, said.commentId, stop) : null;
  const objection = findObjection(said, { issue, comments, reactions, viewerId: viewer.id });
  if (objection === null) return swept;
  const at = new Date(ports.clock.nowMs()).toISOString();
  const cancelled: SweptIssue = { ...swept, close: { type: "cancelled", why: objection, at } };
  await library.save(cancelled);
  return cancelled;
}
