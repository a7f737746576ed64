import { outageDelayMs } from "../until-github-answers.ts";

/**
 * How long a comment whose POST was not answered is searched for before the POST is repeated, because GitHub's reads lag behind
 * its writes.
 */
const SEARCH_MS = 60_000;

/**
 * Decides whether a comment whose POST was not answered may still appear, by the sum of the waits between the searches for it.
 */
export interface CommentSearch {
  /** Call it when a POST of the comment begins; the search for it starts anew. */
  begin(): void;
  /** Call it when GitHub has answered the POST. */
  end(): void;
  /** Returns true if no POST is without an answer, or if its comment was searched for long enough. */
  isOver(): boolean;
  /**
   * Returns the wait before the next search, in milliseconds; null when there is nothing to search for. The waits of one search
   * add up to one minute.
   */
  nextWaitMs(): number | null;
}

/** Creates the search for a comment whose POST got no answer. `begin` starts its time of SEARCH_MS milliseconds. */
export function createCommentSearch(): CommentSearch {
  let [looks, leftMs] = [0, 0];
  return {
    begin: () => void ([looks, leftMs] = [0, SEARCH_MS]),
    end: () => void (leftMs = 0),
    isOver: () => leftMs === 0,
    nextWaitMs: () => {
      if (leftMs === 0) return null;
      looks += 1;
      const waitMs = Math.min(outageDelayMs(looks), leftMs);
      leftMs -= waitMs;
      return waitMs;
    },
  };
}
