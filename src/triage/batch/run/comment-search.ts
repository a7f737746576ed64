/** The wait before a publication that GitHub did not answer is tried again; doubled each time. In milliseconds. */
const FIRST_DELAY_MS = 3_000;
const MAX_DELAY_MS = 60_000;

/**
 * How long a comment whose POST was not answered is searched for before the POST is repeated, because GitHub's reads lag behind
 * its writes.
 */
const SEARCH_MS = 60_000;

/** Pure. Returns the wait after `failures` failures in a row (from 1), in milliseconds. */
export function outageDelayMs(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 30), MAX_DELAY_MS);
}

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
