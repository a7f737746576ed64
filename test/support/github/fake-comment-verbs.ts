import type { IssueComment, IssueRef, Person, TimelineFact } from "../../../src/github/index.ts";

/** The actions of people with write access on another person's comment. */
export interface CommentVerbs {
  /** Hides a comment; neither the timeline nor the comment's time of update shows this. */
  hideComment(ref: IssueRef, commentId: number): Promise<void>;
  removeComment(ref: IssueRef, by: string, commentId: number): Promise<void>;
}

interface StoredComments {
  comments: IssueComment[];
  happened: TimelineFact[];
}

export function fakeCommentVerbs<Stored extends StoredComments>(world: {
  stored: (ref: IssueRef) => Stored;
  /** Called after a change that GitHub counts as an update of the issue. */
  touch: (entry: Stored) => void;
  now: () => string;
  authorOf: (login: string) => Person | null;
}): CommentVerbs {
  const { stored, touch, now, authorOf } = world;
  return {
    hideComment: async (ref, commentId) => {
      const comment = stored(ref).comments.find(({ id }) => id === commentId);
      if (comment === undefined) throw new Error(`no comment ${commentId}`);
      Object.assign(comment, { isMinimised: true });
    },
    removeComment: async (ref, by, commentId) => {
      const entry = stored(ref);
      entry.comments = entry.comments.filter(({ id }) => id !== commentId);
      entry.happened.push({ type: "comment-deleted", at: now(), actor: authorOf(by) });
      touch(entry);
    },
  };
}
