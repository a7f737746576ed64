import { type CloseReason, type GithubWriter, type IssueRef, issueKey } from "../port.ts";
import { ISSUE, issueOf, nameOf } from "./routes.ts";
import { goneReason, type Wire, type WireAnswer, type WireRequest } from "./wire.ts";
import { isLocked, issueGone, issueLocked, statusOf } from "./wire-errors.ts";
import { commentSchema, issueSchema, toComment, toIssue } from "./wire-schemas.ts";

/** A write to an issue, none of which is repeatable. */
type Write = Omit<WireRequest, "isRepeatable">;

/**
 * Returns the port that writes comments, labels and states over GitHub's REST API. It rejects with GITHUB_ISSUE_GONE for an issue
 * that is deleted or transferred. No write is repeated or waits for GitHub: people may decide meanwhile, and a write whose answer
 * is lost may have taken effect. The caller looks at the issue again before it writes again.
 */
export function createOctokitWriter(wire: Wire): GithubWriter {
  const sendOnce = (request: Write): Promise<WireAnswer> => wire.send({ ...request, isRepeatable: false });

  const send = async (ref: IssueRef, request: Write): Promise<WireAnswer> => {
    const answer = await sendOnce(request).catch((error: unknown) => {
      const reason = goneReason(statusOf(error) ?? 0);
      throw reason === null ? error : issueGone(ref, request.attempted, reason);
    });
    const reason = goneReason(answer.status);
    if (reason !== null) throw issueGone(ref, request.attempted, reason);
    return answer;
  };

  /**
   * Sends a removal. Removing an absent label or comment succeeds; GITHUB_ISSUE_GONE means that the whole issue is deleted or
   * transferred.
   */
  const remove = async (ref: IssueRef, request: Write): Promise<void> => {
    const answer = await sendOnce(request).catch((error: unknown) => {
      const status = statusOf(error);
      if (status === 404) return null;
      throw status === 410 ? issueGone(ref, request.attempted, "deleted") : error;
    });
    if (answer !== null && goneReason(answer.status) !== null)
      throw issueGone(ref, request.attempted, "transferred");
  };

  return {
    publishComment: async (ref, body, signal) => {
      const request: Write = {
        attempted: `comment on ${issueKey(ref)}`,
        route: `POST ${ISSUE}/comments`,
        parameters: { ...issueOf(ref), body },
        signal,
      };
      const answer = await send(ref, request).catch((error: unknown) => {
        throw isLocked(error) ? issueLocked(ref, request.attempted) : error;
      });
      return toComment(wire.parse(request, answer, commentSchema));
    },

    addLabels: async (ref, labels, signal) => {
      await send(ref, {
        attempted: `add the labels ${labels.join(", ")} to ${issueKey(ref)}`,
        route: `POST ${ISSUE}/labels`,
        parameters: { ...issueOf(ref), labels },
        signal,
      });
    },

    removeLabel: (ref, label, signal) =>
      remove(ref, {
        attempted: `remove the label ${label} from ${issueKey(ref)}`,
        route: `DELETE ${ISSUE}/labels/{name}`,
        parameters: { ...issueOf(ref), name: label },
        signal,
      }),

    deleteComment: (ref, commentId, signal) =>
      remove(ref, {
        attempted: `delete the comment ${commentId} of ${issueKey(ref)}`,
        route: "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}",
        parameters: { ...nameOf(ref.repo), comment_id: commentId },
        signal,
      }),

    closeIssue: async (ref, reason, signal) => {
      const closeAs = (state_reason: CloseReason): ReturnType<typeof send> =>
        send(ref, {
          attempted: `close ${issueKey(ref)}`,
          route: `PATCH ${ISSUE}`,
          parameters: { ...issueOf(ref), state: "closed", state_reason },
          signal,
        });
      // Older GitHub Enterprise Servers refuse the reason `duplicate`.
      const answer = await closeAs(reason).catch((error: unknown) => {
        if (reason === "duplicate" && statusOf(error) === 422) return closeAs("not_planned");
        throw error;
      });
      const closed = issueSchema.safeParse(answer.data);
      return closed.success ? toIssue(ref.repo, closed.data) : null;
    },

    reopenIssue: async (ref, signal) => {
      await send(ref, {
        attempted: `reopen ${issueKey(ref)}`,
        route: `PATCH ${ISSUE}`,
        parameters: { ...issueOf(ref), state: "open" },
        signal,
      });
    },
  };
}
